(* The fold of sensitive values that the program is given as a table of pairs: a text, and the value that it counts as. The first
   pair of a text decides; a text without a pair is its own value; the texts of "missing" are one value, or none. *)

From Coq Require Import List Bool OrderedType OrderedTypeEx FMapAVL FMapFacts FSetAVL FSetFacts.
Import ListNotations.

Module Folds (T : UsualOrderedType).
  Module Map := FMapAVL.Make T.
  Module MapFacts := FMapFacts.WFacts_fun T Map.
  Module Set_ := FSetAVL.Make T.
  Module SetFacts := FSetFacts.WFacts_fun T Set_.
  Notation text := T.t.

  (* The definition. [missing_value] is what a missing text counts as; [None]: it does not count. *)

  Fixpoint first_pair (pairs : list (text * text)) (written : text) : option text :=
    match pairs with
    | [] => None
    | (from, to) :: rest => if T.eq_dec from written then Some to else first_pair rest written
    end.

  Definition paired (pairs : list (text * text)) (written : text) : text :=
    match first_pair pairs written with
    | Some value => value
    | None => written
    end.

  Definition is_fold (pairs : list (text * text)) (missing : list text) (missing_value : option text)
                     (fold : text -> option text) : Prop :=
    forall written,
      (In (paired pairs written) missing -> fold written = missing_value) /\
      (~ In (paired pairs written) missing -> fold written = Some (paired pairs written)).

  (* The program: the tables are made once, then every text is looked up. *)

  Definition add_pair (m : Map.t text) (pair : text * text) : Map.t text :=
    if Map.mem (fst pair) m then m else Map.add (fst pair) (snd pair) m.
  Definition pair_table (pairs : list (text * text)) : Map.t text := fold_left add_pair pairs (Map.empty text).
  Definition missing_table (missing : list text) : Set_.t := fold_left (fun s word => Set_.add word s) missing Set_.empty.

  Definition look_up (pairs : Map.t text) (missing : Set_.t) (missing_value : option text) (written : text) : option text :=
    let value := match Map.find written pairs with Some value => value | None => written end in
    if Set_.mem value missing then missing_value else Some value.

  Lemma pairs_from : forall pairs m written,
    Map.find written (fold_left add_pair pairs m) =
    match Map.find written m with Some value => Some value | None => first_pair pairs written end.
  Proof.
    intro pairs. induction pairs as [| [from to] rest IH]; intros m written; cbn [fold_left first_pair].
    - now destruct (Map.find written m).
    - rewrite IH. unfold add_pair. cbn [fst snd]. rewrite MapFacts.mem_find_b.
      destruct (Map.find from m) as [known |] eqn:there.
      + destruct (T.eq_dec from written) as [same | other]; [| reflexivity]. hnf in same. subst. now rewrite there.
      + rewrite MapFacts.add_o. destruct (T.eq_dec from written) as [same | other]; [| reflexivity].
        hnf in same. subst. now rewrite there.
  Qed.

  Lemma missing_from : forall missing s word,
    Set_.In word (fold_left (fun s word => Set_.add word s) missing s) <-> Set_.In word s \/ In word missing.
  Proof.
    intro missing. induction missing as [| first rest IH]; intros s word; cbn [fold_left In].
    - tauto.
    - rewrite IH, SetFacts.add_iff. split.
      + intros [[same | inside] | inside]; auto.
      + intros [inside | [same | inside]]; auto.
  Qed.

  Theorem the_fold_is_the_table : forall pairs missing missing_value,
    is_fold pairs missing missing_value (look_up (pair_table pairs) (missing_table missing) missing_value).
  Proof.
    intros pairs missing missing_value written. unfold look_up, pair_table.
    rewrite pairs_from, MapFacts.empty_o. fold (paired pairs written).
    assert (member : Set_.mem (paired pairs written) (missing_table missing) = true <-> In (paired pairs written) missing).
    { rewrite <- SetFacts.mem_iff. unfold missing_table. rewrite missing_from, SetFacts.empty_iff. tauto. }
    destruct (Set_.mem (paired pairs written) (missing_table missing)); split; intro given; auto.
    - elim given. now apply member.
    - now apply member in given.
  Qed.
End Folds.
