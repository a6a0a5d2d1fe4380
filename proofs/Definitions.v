(* What a release promises, from the definitions and without a computation in sight.

     row     what a release shows of a person: quasi-identifier cells, and sensitive values.
     class   the rows that have the cells of a row.
     fold    which texts of a sensitive column are one value: [fold column text] is the value, or [None] if the text does not
             count as one (a missing value).

   Texts are of any type; nothing here depends on how a file spells them. *)

From Coq Require Import List Lia.
Import ListNotations.

Section Definitions.
  Variable text : Type.

  Record row := Row { cells : list text; values : list text }.
  Definition table := list row.

  Variable fold : nat -> text -> option text.

  (* k: every row shares its cells with k rows, itself among them: there are k different places in the table with these cells. *)
  Definition k_rows_share (k : nat) (t : table) (shared : list text) : Prop :=
    exists places, NoDup places /\ k <= length places /\
      forall place, In place places -> exists r, nth_error t place = Some r /\ cells r = shared.

  Definition k_anonymous (k : nat) (t : table) : Prop :=
    forall r, In r t -> k_rows_share k t (cells r).

  (* A row of the class of [shared] has [value] in a sensitive column. *)
  Definition occurs (t : table) (shared : list text) (column : nat) (value : text) : Prop :=
    exists r written, In r t /\ cells r = shared /\ nth_error (values r) column = Some written /\
      fold column written = Some value.

  (* Distinct l: the class of every row has l different values. *)
  Definition l_values_occur (l : nat) (column : nat) (t : table) (shared : list text) : Prop :=
    exists different, NoDup different /\ l <= length different /\
      forall value, In value different -> occurs t shared column value.

  Definition l_diverse (l : nat) (column : nat) (t : table) : Prop :=
    forall r, In r t -> l_values_occur l column t (cells r).

  (* The requirement on a release with so many sensitive columns. A release without rows hides nobody. *)
  Definition holds (k l columns : nat) (t : table) : Prop :=
    t <> [] /\ k_anonymous k t /\ forall column, column < columns -> l_diverse l column t.

  (* A masked row shows nothing: every cell is the mask. *)
  Definition masked (mask : text) (r : row) : Prop := forall cell, In cell (cells r) -> cell = mask.
End Definitions.

Arguments Row {text}.
Arguments cells {text}.
Arguments values {text}.
Arguments k_rows_share {text}.
Arguments k_anonymous {text}.
Arguments occurs {text}.
Arguments l_values_occur {text}.
Arguments l_diverse {text}.
Arguments holds {text}.
Arguments masked {text}.
