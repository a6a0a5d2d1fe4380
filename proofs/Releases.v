(* What keeps the requirement: recoding cells by a function (roll-up, merging classes), putting releases together, reordering
   rows; and why a method that refines groups which hold releases a table that holds. *)

From Coq Require Import List Lia Permutation.
From Tada Require Import Definitions.
Import ListNotations.

Section Releases.
  Variable text : Type.
  Variable fold : nat -> text -> option text.
  Notation row := (row text).
  Notation table := (table text).

  Lemma diverse_of_occurs : forall l column (t t' : table) shared shared',
    (forall value, occurs fold t shared column value -> occurs fold t' shared' column value) ->
    l_values_occur fold l column t shared -> l_values_occur fold l column t' shared'.
  Proof.
    intros l column t t' shared shared' carries [different [distinct [enough all]]].
    exists different. auto.
  Qed.

  (* Roll-up: a function on the cells of a row. *)

  Definition recode (f : list text -> list text) (r : row) : row := Row (f (cells r)) (values r).
  Definition roll_up (f : list text -> list text) (t : table) : table := map (recode f) t.

  Theorem roll_up_keeps_k : forall f k t, k_anonymous k t -> k_anonymous k (roll_up f t).
  Proof.
    intros f k t before r' inside. apply in_map_iff in inside as [r [<- inside]].
    destruct (before r inside) as [places [distinct [enough all]]].
    exists places. repeat split; auto. intros place named.
    destruct (all place named) as [other [at_place same]].
    exists (recode f other). split; [now apply map_nth_error | cbn; now rewrite same].
  Qed.

  Theorem roll_up_keeps_l : forall f l column t,
    l_diverse fold l column t -> l_diverse fold l column (roll_up f t).
  Proof.
    intros f l column t before r' inside. apply in_map_iff in inside as [r [<- inside]].
    apply (diverse_of_occurs l column t (roll_up f t) (cells r)); [| now apply before].
    intros value [other [written [member [same [has folded]]]]].
    exists (recode f other), written. repeat split; auto; [now apply in_map | cbn; now rewrite same].
  Qed.

  Theorem roll_up_keeps_the_requirement : forall f k l columns t,
    holds fold k l columns t -> holds fold k l columns (roll_up f t).
  Proof.
    intros f k l columns t [rows [k_before l_before]]. repeat split.
    - intro empty. apply rows. now destruct t.
    - now apply roll_up_keeps_k.
    - intros column known. now apply roll_up_keeps_l, l_before.
  Qed.

  (* Merging two classes is a roll-up: both get the cells of the merged one. *)

  Variable same_cells : forall a b : list text, {a = b} + {a <> b}.

  Definition merge (a b merged : list text) (own : list text) : list text :=
    if same_cells own a then merged else if same_cells own b then merged else own.

  Theorem merging_classes_keeps_the_requirement : forall a b merged k l columns t,
    holds fold k l columns t -> holds fold k l columns (roll_up (merge a b merged) t).
  Proof. intros. now apply roll_up_keeps_the_requirement. Qed.

  (* Two releases in one file. *)

  Lemma k_rows_share_left : forall k (t t' : table) shared, k_rows_share k t shared -> k_rows_share k (t ++ t') shared.
  Proof.
    intros k t t' shared [places [distinct [enough all]]]. exists places. repeat split; auto.
    intros place named. destruct (all place named) as [r [at_place same]]. exists r. split; auto.
    rewrite nth_error_app1; auto. apply nth_error_Some. congruence.
  Qed.

  Lemma k_rows_share_right : forall k (t t' : table) shared, k_rows_share k t' shared -> k_rows_share k (t ++ t') shared.
  Proof.
    intros k t t' shared [places [distinct [enough all]]].
    exists (map (fun place => length t + place) places). repeat split.
    - apply FinFun.Injective_map_NoDup; auto. intros a b; lia.
    - now rewrite map_length.
    - intros moved named. apply in_map_iff in named as [place [<- named]].
      destruct (all place named) as [r [at_place same]]. exists r. split; auto.
      rewrite nth_error_app2 by lia. now replace (length t + place - length t) with place by lia.
  Qed.

  Lemma occurs_more : forall (t t' : table) shared column value,
    incl t t' -> occurs fold t shared column value -> occurs fold t' shared column value.
  Proof.
    intros t t' shared column value more [r [written [inside rest]]]. exists r, written. auto.
  Qed.

  Theorem union_keeps_k : forall k (t t' : table), k_anonymous k t -> k_anonymous k t' -> k_anonymous k (t ++ t').
  Proof.
    intros k t t' first second r inside. apply in_app_or in inside as [inside | inside].
    - now apply k_rows_share_left, first.
    - now apply k_rows_share_right, second.
  Qed.

  Theorem union_keeps_l : forall l column (t t' : table),
    l_diverse fold l column t -> l_diverse fold l column t' -> l_diverse fold l column (t ++ t').
  Proof.
    intros l column t t' first second r inside. apply in_app_or in inside as [inside | inside].
    - apply (diverse_of_occurs l column t (t ++ t') (cells r)); auto.
      intro value. apply occurs_more, incl_appl, incl_refl.
    - apply (diverse_of_occurs l column t' (t ++ t') (cells r)); auto.
      intro value. apply occurs_more, incl_appr, incl_refl.
  Qed.

  Theorem union_keeps_the_requirement : forall k l columns (t t' : table),
    holds fold k l columns t -> holds fold k l columns t' -> holds fold k l columns (t ++ t').
  Proof.
    intros k l columns t t' [rows [k_first l_first]] [_ [k_second l_second]]. repeat split.
    - intro empty. now apply app_eq_nil in empty.
    - now apply union_keeps_k.
    - intros column known. apply union_keeps_l; auto.
  Qed.

  (* The order of rows plays no part. *)

  Theorem reordering_keeps_the_requirement : forall k l columns (t t' : table),
    Permutation t t' -> holds fold k l columns t -> holds fold k l columns t'.
  Proof.
    intros k l columns t t' moved [rows [k_before l_before]]. repeat split.
    - intros ->. apply rows. now apply Permutation_nil, Permutation_sym.
    - intros r inside.
      destruct (k_before r) as [places [distinct [enough all]]].
      { eapply Permutation_in; [apply Permutation_sym|]; eauto. }
      apply Permutation_sym, Permutation_nth_error in moved as [_ [move [injective at_move]]].
      exists (map move places). repeat split.
      + now apply FinFun.Injective_map_NoDup.
      + now rewrite map_length.
      + intros place named. apply in_map_iff in named as [old [<- named]].
        destruct (all old named) as [other [at_place same]]. exists other. split; auto. now rewrite <- at_move.
    - intros column known r inside.
      apply (diverse_of_occurs l column t t' (cells r)).
      + intro value. apply occurs_more. intros other. now apply Permutation_in.
      + apply l_before; auto. eapply Permutation_in; [apply Permutation_sym|]; eauto.
  Qed.

  (* Refinement. A group is a list of rows as they were, before any cell was widened; [group_holds] asks nothing of its cells. The
     release gives all rows of a group the same cells, whichever. *)

  Definition group := table.

  Definition value_in_group (g : group) (column : nat) (value : text) : Prop :=
    exists r written, In r g /\ nth_error (values r) column = Some written /\ fold column written = Some value.

  Definition group_holds (k l columns : nat) (g : group) : Prop :=
    k <= length g /\ forall column, column < columns -> exists different,
      NoDup different /\ l <= length different /\ forall value, In value different -> value_in_group g column value.

  Definition release_group (shared : list text) (g : group) : table := map (fun r => Row shared (values r)) g.

  Fixpoint release (cells_of : group -> list text) (groups : list group) : table :=
    match groups with
    | [] => []
    | g :: rest => release_group (cells_of g) g ++ release cells_of rest
    end.

  Lemma released_group_holds : forall k l columns shared g,
    g <> [] -> group_holds k l columns g -> holds fold k l columns (release_group shared g).
  Proof.
    intros k l columns shared g rows [large diverse]. repeat split.
    - intro empty. apply rows. now destruct g.
    - intros r inside. apply in_map_iff in inside as [own [<- inside]]. cbn.
      exists (seq 0 (length g)). repeat split.
      + apply seq_NoDup.
      + now rewrite seq_length.
      + intros place named. apply in_seq in named.
        destruct (nth_error g place) as [other|] eqn:at_place.
        * exists (Row shared (values other)). split; auto.
          unfold release_group. now apply map_nth_error with (f := fun r => Row shared (values r)).
        * apply nth_error_None in at_place. lia.
    - intros column known r inside. apply in_map_iff in inside as [own [<- inside]]. cbn.
      destruct (diverse column known) as [different [distinct [enough all]]].
      exists different. repeat split; auto. intros value named.
      destruct (all value named) as [other [written [member [has folded]]]].
      exists (Row shared (values other)), written. repeat split; auto.
      unfold release_group. now apply in_map with (f := fun r => Row shared (values r)).
  Qed.

  Theorem refinement_releases_the_requirement : forall cells_of k l columns groups,
    groups <> [] -> (forall g, In g groups -> g <> [] /\ group_holds k l columns g) ->
    holds fold k l columns (release cells_of groups).
  Proof.
    intros cells_of k l columns groups. induction groups as [| g rest rest_holds]; intros some each; [congruence|].
    assert (own : holds fold k l columns (release_group (cells_of g) g)).
    { apply released_group_holds; now apply each; left. }
    cbn. destruct rest as [| next others].
    - cbn. now rewrite app_nil_r.
    - apply union_keeps_the_requirement; auto. apply rest_holds; [congruence|]. intros other inside. apply each. now right.
  Qed.

  (* Every row of every group is released, with its own values. *)
  Theorem refinement_releases_every_row : forall cells_of groups,
    map values (release cells_of groups) = map values (concat groups).
  Proof.
    intros cells_of groups. induction groups as [| g rest same]; auto.
    cbn. rewrite !map_app, same. f_equal. unfold release_group. now rewrite map_map.
  Qed.

  (* Masked rows are one class, and the requirement holds for it as for any other. *)

  Theorem masked_rows_share_their_cells : forall mask width (r r' : row),
    length (cells r) = width -> length (cells r') = width -> masked mask r -> masked mask r' -> cells r = cells r'.
  Proof.
    intros mask width r r' wide wide' shown shown'.
    assert (all : forall own, length own = width -> (forall cell, In cell own -> cell = mask) -> own = repeat mask width).
    { intros own <- only. now apply Forall_eq_repeat, Forall_forall; intros cell inside; symmetry; apply only. }
    rewrite (all _ wide shown). symmetry. now apply all.
  Qed.

  Theorem masked_rows_are_none_or_k : forall mask k l columns (t : table) r,
    holds fold k l columns t -> In r t -> masked mask r ->
    (exists places, NoDup places /\ k <= length places /\
       forall place, In place places -> exists other, nth_error t place = Some other /\ masked mask other) /\
    (forall column, column < columns -> l_values_occur fold l column t (cells r)).
  Proof.
    intros mask k l columns t r [_ [k_all l_all]] inside shows_nothing. split.
    - destruct (k_all r inside) as [places [distinct [enough all]]]. exists places. repeat split; auto.
      intros place named. destruct (all place named) as [other [at_place same]]. exists other. split; auto.
      unfold masked. now rewrite same.
    - intros column known. now apply l_all.
  Qed.
End Releases.
