(* Lists of ordered things are ordered: the first difference decides. Keys of the map of classes. *)

From Coq Require Import List OrderedType OrderedTypeEx.
Import ListNotations.

Module OrderedList (T : UsualOrderedType) <: UsualOrderedType.
  Definition t := list T.t.
  Definition eq := @eq t.
  Definition eq_refl := @eq_refl t.
  Definition eq_sym := @eq_sym t.
  Definition eq_trans := @eq_trans t.

  Inductive lt' : t -> t -> Prop :=
  | shorter : forall y ys, lt' [] (y :: ys)
  | first : forall x y xs ys, T.lt x y -> lt' (x :: xs) (y :: ys)
  | later : forall x xs ys, lt' xs ys -> lt' (x :: xs) (x :: ys).
  Definition lt := lt'.

  Lemma lt_trans : forall x y z : t, lt x y -> lt y z -> lt x z.
  Proof.
    intros x y z below. revert z.
    induction below as [y ys | x y xs ys less | x xs ys _ IH]; intros z above; inversion above; subst.
    - apply shorter.
    - apply shorter.
    - apply first. eapply T.lt_trans; eauto.
    - now apply first.
    - now apply first.
    - apply later. now apply IH.
  Qed.

  Lemma lt_not_eq : forall x y : t, lt x y -> ~ eq x y.
  Proof.
    intros x y below. induction below as [y ys | x y xs ys less | x xs ys _ IH]; intro same; inversion same; subst.
    - now apply (T.lt_not_eq y y less).
    - now apply IH.
  Qed.

  Fixpoint compare (x y : t) {struct x} : Compare lt eq x y.
  Proof.
    refine
      match x, y with
      | [], [] => EQ _
      | [], b :: ys => LT _
      | a :: xs, [] => GT _
      | a :: xs, b :: ys =>
          match T.compare a b with
          | LT less => LT _
          | GT more => GT _
          | EQ same =>
              match compare xs ys with
              | LT less => LT _
              | EQ rest => EQ _
              | GT more => GT _
              end
          end
      end.
    - reflexivity.
    - apply shorter.
    - apply shorter.
    - now apply first.
    - hnf in same. subst. now apply later.
    - hnf in same, rest. now subst.
    - hnf in same. subst. now apply later.
    - now apply first.
  Defined.

  Definition eq_dec (x y : t) : {eq x y} + {~ eq x y}.
  Proof. apply list_eq_dec. apply T.eq_dec. Defined.
End OrderedList.
