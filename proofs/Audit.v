(* The audit that is run: one pass puts the rows into a balanced map from cells to the rows that have them; every class is then
   counted. Theorems: it passes a table if and only if the requirement of Definitions.v holds, and the k and l that it says a
   table reaches are the largest that hold.

   Whatever walks along rows is tail-recursive, so that the extracted program needs no deep stack. *)

From Coq Require Import List Lia Bool Arith SetoidList Permutation.
From Coq Require Import OrderedType OrderedTypeEx FMapAVL FMapFacts FSetAVL FSetFacts.
From Tada Require Import Definitions Releases OrderedLists.
Import ListNotations.

Module Audit (T : UsualOrderedType).
  Module Key := OrderedList T.
  Module Map := FMapAVL.Make Key.
  Module MapFacts := FMapFacts.WFacts_fun Key Map.
  Module Set_ := FSetAVL.Make T.
  Module SetFacts := FSetFacts.WFacts_fun T Set_.

  Notation text := T.t.
  Notation row := (row T.t).
  Notation table := (table T.t).

  (* The program. *)

  Fixpoint count_from {A : Type} (counted : nat) (items : list A) : nat :=
    match items with
    | [] => counted
    | _ :: rest => count_from (S counted) rest
    end.
  Definition count {A : Type} (items : list A) : nat := count_from 0 items.

  Definition rows_of (shared : list text) (m : Map.t (list row)) : list row :=
    match Map.find shared m with
    | Some rows => rows
    | None => []
    end.

  Definition add_row (m : Map.t (list row)) (r : row) : Map.t (list row) :=
    Map.add (cells r) (r :: rows_of (cells r) m) m.

  Definition classes (t : table) : Map.t (list row) := fold_left add_row t (Map.empty (list row)).

  Section Requirement.
    Variable fold : nat -> text -> option text.

    Definition add_value (column : nat) (found : Set_.t) (r : row) : Set_.t :=
      match nth_error (values r) column with
      | None => found
      | Some written =>
          match fold column written with
          | Some value => Set_.add value found
          | None => found
          end
      end.

    Definition values_of (column : nat) (rows : list row) : Set_.t := fold_left (add_value column) rows Set_.empty.
    Definition distinct (column : nat) (rows : list row) : nat := count (Set_.elements (values_of column rows)).

    Definition class_passes (k l : nat) (columns : list nat) (class : list text * list row) : bool :=
      (k <=? count (snd class)) && forallb (fun column => l <=? distinct column (snd class)) columns.

    Definition passes (k l columns : nat) (t : table) : bool :=
      match t with
      | [] => false
      | _ :: _ => forallb (class_passes k l (seq 0 columns)) (Map.elements (classes t))
      end.

    (* What a table reaches: the least over its classes; 0 without rows. *)
    Definition lesser (a b : nat) : nat := if a <=? b then a else b.
    Definition least (measure : list row -> nat) (t : table) : nat :=
      match Map.elements (classes t) with
      | [] => 0
      | first :: rest => fold_left (fun so_far class => lesser so_far (measure (snd class))) rest (measure (snd first))
      end.
    Definition reached_k (t : table) : nat := least count t.
    Definition reached_l (column : nat) (t : table) : nat := least (distinct column) t.
  End Requirement.

  Definition num_classes (t : table) : nat := count (Map.elements (classes t)).

  (* Counting. *)

  Lemma count_is_length : forall (A : Type) (items : list A), count items = length items.
  Proof.
    intros A items. unfold count. enough (general : forall counted, count_from counted items = counted + length items)
      by now rewrite general.
    induction items as [| item rest IH]; intro counted; cbn; [lia |]. rewrite IH. lia.
  Qed.

  (* The map holds the classes. *)

  Definition has (shared : list text) (r : row) : bool := if Key.eq_dec shared (cells r) then true else false.

  Lemma has_spec : forall shared r, has shared r = true <-> cells r = shared.
  Proof.
    intros shared r. unfold has. destruct (Key.eq_dec shared (cells r)) as [same | other]; split; intro given; auto.
    - discriminate.
    - now elim other.
  Qed.

  Lemma rows_of_add : forall m r shared,
    rows_of shared (add_row m r) = if has shared r then r :: rows_of shared m else rows_of shared m.
  Proof.
    intros m r shared. unfold add_row, has. destruct (Key.eq_dec shared (cells r)) as [same | other].
    - hnf in same. subst. unfold rows_of at 1. now rewrite MapFacts.add_eq_o.
    - unfold rows_of at 1. rewrite MapFacts.add_neq_o; [reflexivity |]. intro same. apply other. now symmetry.
  Qed.

  Lemma rows_of_all : forall t m shared,
    rows_of shared (fold_left add_row t m) = rev (filter (has shared) t) ++ rows_of shared m.
  Proof.
    intro t. induction t as [| r rest IH]; intros m shared; [reflexivity |].
    cbn [fold_left filter]. rewrite IH, rows_of_add. destruct (has shared r); [| reflexivity].
    cbn [rev]. now rewrite <- app_assoc.
  Qed.

  Lemma rows_of_classes : forall t shared, rows_of shared (classes t) = rev (filter (has shared) t).
  Proof.
    intros t shared. unfold classes. rewrite rows_of_all.
    unfold rows_of. rewrite MapFacts.empty_o. apply app_nil_r.
  Qed.

  Lemma no_empty_class : forall t m,
    (forall shared, Map.find shared m <> Some []) -> forall shared, Map.find shared (fold_left add_row t m) <> Some [].
  Proof.
    intro t. induction t as [| r rest IH]; intros m none shared; cbn; auto.
    apply IH. intros other. unfold add_row. rewrite MapFacts.add_o.
    destruct (Key.eq_dec (cells r) other); [congruence | apply none].
  Qed.

  Lemma class_in_map : forall t shared rows,
    In (shared, rows) (Map.elements (classes t)) -> rows = rev (filter (has shared) t) /\ rows <> [].
  Proof.
    intros t shared rows inside.
    assert (found : Map.find shared (classes t) = Some rows).
    { apply Map.find_1, Map.elements_2. apply InA_alt. exists (shared, rows). repeat split; auto. }
    split.
    - rewrite <- rows_of_classes. unfold rows_of. now rewrite found.
    - intros ->. eapply no_empty_class; [| exact found]. intro other. rewrite MapFacts.empty_o. discriminate.
  Qed.

  Lemma class_of_row : forall t r, In r t -> In (cells r, rev (filter (has (cells r)) t)) (Map.elements (classes t)).
  Proof.
    intros t r inside.
    assert (member : In r (rows_of (cells r) (classes t))).
    { rewrite rows_of_classes. apply -> in_rev. apply filter_In. split; auto. now apply has_spec. }
    pose proof (rows_of_classes t (cells r)) as same. unfold rows_of in member, same.
    destruct (Map.find (cells r) (classes t)) as [rows |] eqn:found; [| contradiction].
    apply Map.find_2, Map.elements_1, InA_alt in found. destruct found as [[key stored] [[same_key same_rows] inside_map]].
    cbn in same_key, same_rows. hnf in same_key. subst. exact inside_map.
  Qed.

  (* A statement about every stored class is one about the class of every row. *)
  Lemma for_every_class : forall (P : list row -> Prop) t,
    (forall class, In class (Map.elements (classes t)) -> P (snd class)) <->
    (forall r, In r t -> P (rev (filter (has (cells r)) t))).
  Proof.
    intros P t. split.
    - intros all r inside. exact (all _ (class_of_row t r inside)).
    - intros all [shared rows] inside. cbn. destruct (class_in_map t shared rows inside) as [-> some].
      destruct (filter (has shared) t) as [| r rest] eqn:members; [now elim some |].
      assert (chosen : In r (filter (has shared) t)) by (rewrite members; now left).
      apply filter_In in chosen as [inside_table same]. apply has_spec in same. subst.
      rewrite <- members. now apply all.
  Qed.

  (* The size of a class is the number of places that have its cells. *)

  Definition place_has (t : table) (shared : list text) (place : nat) : bool :=
    match nth_error t place with
    | Some r => has shared r
    | None => false
    end.

  Lemma places_of_class : forall t shared,
    length (filter (place_has t shared) (seq 0 (length t))) = length (filter (has shared) t).
  Proof.
    intros t shared. induction t as [| r rest IH]; [reflexivity |].
    cbn [length seq filter]. rewrite <- seq_shift.
    assert (moved : length (filter (place_has (r :: rest) shared) (map S (seq 0 (length rest)))) =
                    length (filter (place_has rest shared) (seq 0 (length rest)))).
    { clear IH. induction (seq 0 (length rest)) as [| place places IH']; [reflexivity |].
      cbn [map filter]. change (place_has (r :: rest) shared (S place)) with (place_has rest shared place).
      destruct (place_has rest shared place); cbn [length]; now rewrite IH'. }
    change (place_has (r :: rest) shared 0) with (has shared r).
    destruct (has shared r); cbn [length]; now rewrite moved, IH.
  Qed.

  Lemma k_rows_share_spec : forall k t shared, k_rows_share k t shared <-> k <= length (filter (has shared) t).
  Proof.
    intros k t shared. rewrite <- places_of_class. split.
    - intros [places [distinct_places [enough all]]]. eapply Nat.le_trans; [exact enough |].
      apply NoDup_incl_length; auto. intros place named. destruct (all place named) as [r [at_place same]].
      apply filter_In. split.
      + apply in_seq. split; [lia |]. cbn. apply nth_error_Some. congruence.
      + unfold place_has. rewrite at_place. now apply has_spec.
    - intro enough. exists (filter (place_has t shared) (seq 0 (length t))). repeat split; auto.
      + apply NoDup_filter, seq_NoDup.
      + intros place named. apply filter_In in named as [_ at_place]. unfold place_has in at_place.
        destruct (nth_error t place) as [r |]; [| discriminate]. exists r. split; auto. now apply has_spec.
  Qed.

  (* The number of different values of a class. *)

  Section Diversity.
    Variable fold : nat -> text -> option text.

    Definition row_shows (column : nat) (value : text) (r : row) : Prop :=
      exists written, nth_error (values r) column = Some written /\ fold column written = Some value.

    Lemma values_of_from : forall column rows found value,
      Set_.In value (fold_left (add_value fold column) rows found) <->
      Set_.In value found \/ exists r, In r rows /\ row_shows column value r.
    Proof.
      intros column rows. induction rows as [| r rest IH]; intros found value; cbn [fold_left].
      - split; [now left |]. intros [inside | [r [[] _]]]. exact inside.
      - rewrite IH. unfold add_value, row_shows.
        destruct (nth_error (values r) column) as [written |] eqn:has_value;
          [destruct (fold column written) as [own |] eqn:folded |].
        + rewrite SetFacts.add_iff. split.
          * intros [[same | inside] | [other [inside shows]]].
            -- hnf in same. subst. right. exists r. split; [now left |]. now exists written.
            -- now left.
            -- right. exists other. split; [now right | auto].
          * intros [inside | [other [[<- | inside] [text_ [at_column shown]]]]].
            -- left. now right.
            -- left. left. hnf. congruence.
            -- right. exists other. split; auto. now exists text_.
        + split.
          * intros [inside | [other [inside shows]]]; [now left |]. right. exists other. split; [now right | auto].
          * intros [inside | [other [[<- | inside] [text_ [at_column shown]]]]]; [now left | congruence |].
            right. exists other. split; auto. now exists text_.
        + split.
          * intros [inside | [other [inside shows]]]; [now left |]. right. exists other. split; [now right | auto].
          * intros [inside | [other [[<- | inside] [text_ [at_column shown]]]]]; [now left | congruence |].
            right. exists other. split; auto. now exists text_.
    Qed.

    Lemma InA_is_In : forall (value : text) (list_ : list text), InA T.eq value list_ <-> In value list_.
    Proof.
      intros value list_. rewrite InA_alt. split.
      - intros [other [same inside]]. hnf in same. now subst.
      - intro inside. exists value. split; auto. reflexivity.
    Qed.

    Lemma elements_spec : forall column t shared value,
      In value (Set_.elements (values_of fold column (rev (filter (has shared) t)))) <->
      occurs fold t shared column value.
    Proof.
      intros column t shared value. rewrite <- InA_is_In, <- SetFacts.elements_iff. unfold values_of.
      rewrite values_of_from, SetFacts.empty_iff. split.
      - intros [[] | [r [inside [written [at_column shown]]]]]. apply in_rev in inside.
        apply filter_In in inside as [inside same]. exists r, written. repeat split; auto. now apply has_spec.
      - intros [r [written [inside [same [at_column shown]]]]]. right. exists r. split; [| now exists written].
        apply -> in_rev. apply filter_In. split; auto. now apply has_spec.
    Qed.

    Lemma elements_differ : forall s, NoDup (Set_.elements s).
    Proof.
      intro s. pose proof (Set_.elements_3w s) as differ.
      induction differ as [| value rest absent _ IH]; constructor; auto. now rewrite <- InA_is_In.
    Qed.

    Lemma l_values_occur_spec : forall l column t shared,
      l_values_occur fold l column t shared <-> l <= distinct fold column (rev (filter (has shared) t)).
    Proof.
      intros l column t shared. unfold distinct. rewrite count_is_length. split.
      - intros [different [differ [enough all]]]. eapply Nat.le_trans; [exact enough |].
        apply NoDup_incl_length; auto. intros value named. now apply elements_spec, all.
      - intro enough. eexists. split; [apply elements_differ |]. split; [exact enough |].
        intros value named. now apply elements_spec.
    Qed.

    (* The verdict. *)

    Theorem passes_iff_the_requirement_holds : forall k l columns t,
      passes fold k l columns t = true <-> holds fold k l columns t.
    Proof.
      intros k l columns t.
      assert (every_class : forallb (class_passes fold k l (seq 0 columns)) (Map.elements (classes t)) = true <->
                            k_anonymous k t /\ forall column, column < columns -> l_diverse fold l column t).
      { rewrite forallb_forall.
        rewrite (for_every_class (fun rows => class_passes fold k l (seq 0 columns) ([], rows) = true)).
        unfold class_passes. cbn [snd]. split.
        - intro all. split.
          + intros r inside. specialize (all r inside). apply andb_true_iff in all as [large _].
            apply Nat.leb_le in large. rewrite count_is_length, rev_length in large. now apply k_rows_share_spec.
          + intros column known r inside. specialize (all r inside). apply andb_true_iff in all as [_ diverse].
            rewrite forallb_forall in diverse. apply l_values_occur_spec, Nat.leb_le, diverse, in_seq. lia.
        - intros [large diverse] r inside. apply andb_true_iff. split.
          + apply Nat.leb_le. rewrite count_is_length, rev_length. now apply k_rows_share_spec, large.
          + apply forallb_forall. intros column known. apply in_seq in known.
            apply Nat.leb_le, l_values_occur_spec, diverse; auto. lia. }
      unfold passes, holds. destruct t as [| r rest].
      - split; [discriminate | intros [some _]; now elim some].
      - rewrite every_class. split.
        + intros [large diverse]. repeat split; auto. discriminate.
        + intros [_ both]. exact both.
    Qed.

    Theorem passed_implies_the_requirement_holds : forall k l columns t,
      passes fold k l columns t = true -> holds fold k l columns t.
    Proof. intros. now apply passes_iff_the_requirement_holds. Qed.

    Theorem the_requirement_holds_implies_passed : forall k l columns t,
      holds fold k l columns t -> passes fold k l columns t = true.
    Proof. intros. now apply passes_iff_the_requirement_holds. Qed.

    (* What is reached. *)

    Lemma lesser_spec : forall bound a b, bound <= lesser a b <-> bound <= a /\ bound <= b.
    Proof. intros bound a b. unfold lesser. destruct (Nat.leb_spec a b); lia. Qed.

    Lemma least_from : forall (measure : list row -> nat) (rest : list (list text * list row)) so_far bound,
      bound <= fold_left (fun low class => lesser low (measure (snd class))) rest so_far <->
      bound <= so_far /\ forall class, In class rest -> bound <= measure (snd class).
    Proof.
      intros measure rest. induction rest as [| class others IH]; intros so_far bound; cbn [fold_left].
      - split; [intro low; split; [exact low | intros ? []] | tauto].
      - rewrite IH, lesser_spec. split.
        + intros [[low own] all]. split; auto. intros other [<- | inside]; auto.
        + intros [low all]. repeat split; auto.
          * apply all. now left.
          * intros other inside. apply all. now right.
    Qed.

    Lemma least_spec : forall measure t bound, t <> [] ->
      (bound <= least measure t <-> forall r, In r t -> bound <= measure (rev (filter (has (cells r)) t))).
    Proof.
      intros measure t bound some. rewrite <- (for_every_class (fun rows => bound <= measure rows)).
      unfold least. destruct (Map.elements (classes t)) as [| first rest] eqn:stored.
      - destruct t as [| r others]; [now elim some |].
        pose proof (class_of_row (r :: others) r (or_introl eq_refl)) as inside. now rewrite stored in inside.
      - rewrite least_from. split.
        + intros [own all] class [<- | inside]; auto.
        + intro all. split; [apply all; now left |]. intros class inside. apply all. now right.
    Qed.

    Theorem reached_k_is_the_largest_that_holds : forall k t, t <> [] -> (k <= reached_k t <-> k_anonymous k t).
    Proof.
      intros k t some. unfold reached_k. rewrite least_spec by assumption. split; intros all r inside.
      - apply k_rows_share_spec. specialize (all r inside). now rewrite count_is_length, rev_length in all.
      - rewrite count_is_length, rev_length. now apply k_rows_share_spec, all.
    Qed.

    Theorem reached_l_is_the_largest_that_holds : forall l column t, t <> [] ->
      (l <= reached_l fold column t <-> l_diverse fold l column t).
    Proof.
      intros l column t some. unfold reached_l. rewrite least_spec by assumption.
      split; intros all r inside; now apply l_values_occur_spec, all.
    Qed.

    (* The program on what the methods do. *)

    Theorem a_refinement_that_holds_passes : forall cells_of k l columns groups,
      groups <> [] -> (forall g, In g groups -> g <> [] /\ group_holds text fold k l columns g) ->
      passes fold k l columns (release text cells_of groups) = true.
    Proof.
      intros. apply the_requirement_holds_implies_passed. now apply refinement_releases_the_requirement.
    Qed.

    Theorem a_roll_up_of_what_passed_passes : forall f k l columns t,
      passes fold k l columns t = true -> passes fold k l columns (roll_up text f t) = true.
    Proof.
      intros. apply the_requirement_holds_implies_passed, roll_up_keeps_the_requirement.
      now apply passed_implies_the_requirement_holds.
    Qed.

    Theorem merging_classes_of_what_passed_passes : forall a b merged k l columns t,
      passes fold k l columns t = true ->
      passes fold k l columns (roll_up text (merge text Key.eq_dec a b merged) t) = true.
    Proof. intros. now apply a_roll_up_of_what_passed_passes. Qed.

    Theorem the_union_of_what_passed_passes : forall k l columns t t',
      passes fold k l columns t = true -> passes fold k l columns t' = true ->
      passes fold k l columns (t ++ t') = true.
    Proof.
      intros. apply the_requirement_holds_implies_passed, union_keeps_the_requirement;
        now apply passed_implies_the_requirement_holds.
    Qed.

    Theorem the_order_of_rows_plays_no_part : forall k l columns t t',
      Permutation t t' -> passes fold k l columns t = passes fold k l columns t'.
    Proof.
      intros k l columns t t' moved. apply eq_true_iff_eq. rewrite !passes_iff_the_requirement_holds.
      split; apply reordering_keeps_the_requirement; auto. now apply Permutation_sym.
    Qed.
  End Diversity.
End Audit.
