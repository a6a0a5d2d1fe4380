(* Truth: every released cell covers the original value it stands for. How texts are read as cells and values is outside of this
   model (verify/cell_text.ml); what a reading covers is defined, decided and proved here.

     number   mantissa * 10^exponent, compared exactly.
     value    of the original: its text, the number it is (if its column is one of numbers), its characters.
     cell     of the release: anything, one of some values, an interval of numbers, or a pattern of characters. A text may have
              several readings: it covers what one of them covers. *)

From Coq Require Import List Bool ZArith QArith Qpower Lia.
From Tada Require Import Definitions.
Import ListNotations.
Local Open Scope Z_scope.

(* Numbers. *)

Record number := Number { mantissa : Z; exponent : Z }.

Definition amount (n : number) : Q := inject_Z (mantissa n) * (10 # 1) ^ exponent n.

Definition scaled (n : number) (to : Z) : Z := mantissa n * 10 ^ (exponent n - to).
Definition number_compare (a b : number) : comparison :=
  let to := Z.min (exponent a) (exponent b) in scaled a to ?= scaled b to.
Definition number_leb (a b : number) : bool := match number_compare a b with Gt => false | _ => true end.
Definition number_ltb (a b : number) : bool := match number_compare a b with Lt => true | _ => false end.
Definition number_eqb (a b : number) : bool := match number_compare a b with Eq => true | _ => false end.

Lemma ten_to_the_positive : forall e : Z, (0 < (10 # 1) ^ e)%Q.
Proof. intro e. apply Qpower_0_lt. reflexivity. Qed.

Lemma amount_scaled : forall n to, to <= exponent n -> (amount n == inject_Z (scaled n to) * (10 # 1) ^ to)%Q.
Proof.
  intros n to low. unfold amount, scaled. rewrite inject_Z_mult, <- Qmult_assoc.
  apply Qmult_comp; [reflexivity |].
  rewrite Zpower_Qpower by lia. change (inject_Z 10) with (10 # 1)%Q.
  rewrite <- Qpower_plus by (intro zero; discriminate zero).
  now replace (exponent n - to + to) with (exponent n) by lia.
Qed.

Lemma number_compare_spec : forall a b, number_compare a b = Qcompare (amount a) (amount b).
Proof.
  intros a b. unfold number_compare. set (to := Z.min (exponent a) (exponent b)).
  assert (first : (amount a == inject_Z (scaled a to) * (10 # 1) ^ to)%Q) by (apply amount_scaled; subst to; lia).
  assert (second : (amount b == inject_Z (scaled b to) * (10 # 1) ^ to)%Q) by (apply amount_scaled; subst to; lia).
  pose proof (ten_to_the_positive to) as positive.
  destruct (Z.compare_spec (scaled a to) (scaled b to)) as [same | less | more]; symmetry.
  - apply Qeq_alt. rewrite first, second, same. reflexivity.
  - apply Qlt_alt. rewrite first, second. apply Qmult_lt_r; auto. now rewrite <- Zlt_Qlt.
  - apply Qgt_alt. rewrite first, second. apply Qmult_lt_r; auto. now rewrite <- Zlt_Qlt.
Qed.

Theorem numbers_are_compared_exactly : forall a b,
  (number_leb a b = true <-> (amount a <= amount b)%Q) /\
  (number_ltb a b = true <-> (amount a < amount b)%Q) /\
  (number_eqb a b = true <-> (amount a == amount b)%Q).
Proof.
  intros a b. unfold number_leb, number_ltb, number_eqb. rewrite number_compare_spec.
  rewrite Qle_alt, Qlt_alt, Qeq_alt.
  destruct (amount a ?= amount b)%Q; repeat split; intro given; try discriminate; auto; now elim given.
Qed.

(* Digits to numbers, for the reader of cells. *)
Definition add_digit (so_far digit : Z) : Z := 10 * so_far + digit.

Section Cover.
  Variable text : Type.
  Variable same_text : forall a b : text, {a = b} + {a <> b}.

  Record value := Value { written : text; number_of : option number; characters : list text }.

  Record bound := Bound { limit : number; left_out : bool }.

  Inductive cell :=
  | Anything
  | OneOf (elements : list value)
  | Between (low high : option bound)
  | Pattern (symbols : list (option text)).  (* None: any one character *)

  (* The definition. *)

  Definition same_value (a b : value) : Prop :=
    written a = written b \/
    exists n m, number_of a = Some n /\ number_of b = Some m /\ (amount n == amount m)%Q.

  Definition above (low : option bound) (n : number) : Prop :=
    match low with
    | None => True
    | Some (Bound at_ true) => (amount at_ < amount n)%Q
    | Some (Bound at_ false) => (amount at_ <= amount n)%Q
    end.
  Definition below (high : option bound) (n : number) : Prop :=
    match high with
    | None => True
    | Some (Bound at_ true) => (amount n < amount at_)%Q
    | Some (Bound at_ false) => (amount n <= amount at_)%Q
    end.

  Definition covers (c : cell) (v : value) : Prop :=
    match c with
    | Anything => True
    | OneOf elements => exists element, In element elements /\ same_value element v
    | Between low high => exists n, number_of v = Some n /\ above low n /\ below high n
    | Pattern symbols => Forall2 (fun symbol character => symbol = None \/ symbol = Some character) symbols (characters v)
    end.

  (* All readings of a text; rows of cells beside rows of values, in the same order and as many. *)
  Definition reading := list cell.
  Definition reading_covers (readings : reading) (v : value) : Prop := exists c, In c readings /\ covers c v.
  Definition row_covers : list reading -> list value -> Prop := Forall2 reading_covers.
  Definition table_covers : list (list reading) -> list (list value) -> Prop := Forall2 row_covers.

  (* The program. *)

  Definition same_value_b (a b : value) : bool :=
    (if same_text (written a) (written b) then true else false) ||
    match number_of a, number_of b with
    | Some n, Some m => number_eqb n m
    | _, _ => false
    end.
  Definition above_b (low : option bound) (n : number) : bool :=
    match low with
    | None => true
    | Some (Bound at_ true) => number_ltb at_ n
    | Some (Bound at_ false) => number_leb at_ n
    end.
  Definition below_b (high : option bound) (n : number) : bool :=
    match high with
    | None => true
    | Some (Bound at_ true) => number_ltb n at_
    | Some (Bound at_ false) => number_leb n at_
    end.
  Fixpoint matches (symbols : list (option text)) (own : list text) : bool :=
    match symbols, own with
    | [], [] => true
    | None :: symbols', _ :: own' => matches symbols' own'
    | Some symbol :: symbols', character :: own' =>
        if same_text symbol character then matches symbols' own' else false
    | _, _ => false
    end.
  Definition covers_b (c : cell) (v : value) : bool :=
    match c with
    | Anything => true
    | OneOf elements => existsb (fun element => same_value_b element v) elements
    | Between low high =>
        match number_of v with
        | Some n => above_b low n && below_b high n
        | None => false
        end
    | Pattern symbols => matches symbols (characters v)
    end.
  Definition reading_covers_b (readings : reading) (v : value) : bool := existsb (fun c => covers_b c v) readings.
  Fixpoint forall2b {A B : Type} (f : A -> B -> bool) (a : list A) (b : list B) : bool :=
    match a, b with
    | [], [] => true
    | x :: xs, y :: ys => if f x y then forall2b f xs ys else false
    | _, _ => false
    end.
  Definition row_covers_b : list reading -> list value -> bool := forall2b reading_covers_b.
  Definition table_covers_b : list (list reading) -> list (list value) -> bool := forall2b row_covers_b.

  Lemma same_value_spec : forall a b, same_value_b a b = true <-> same_value a b.
  Proof.
    intros a b. unfold same_value_b, same_value. rewrite orb_true_iff. split.
    - intros [texts | numbers].
      + left. destruct (same_text (written a) (written b)); congruence.
      + right. destruct (number_of a) as [n |], (number_of b) as [m |]; try discriminate.
        exists n, m. repeat split; auto. now apply numbers_are_compared_exactly.
    - intros [texts | [n [m [first [second same]]]]].
      + left. destruct (same_text (written a) (written b)); congruence.
      + right. rewrite first, second. now apply numbers_are_compared_exactly.
  Qed.

  Lemma above_spec : forall low n, above_b low n = true <-> above low n.
  Proof. intros [[at_ []] |] n; cbn; try apply numbers_are_compared_exactly; tauto. Qed.
  Lemma below_spec : forall high n, below_b high n = true <-> below high n.
  Proof. intros [[at_ []] |] n; cbn; try apply numbers_are_compared_exactly; tauto. Qed.

  Lemma matches_spec : forall symbols own,
    matches symbols own = true <-> Forall2 (fun symbol character => symbol = None \/ symbol = Some character) symbols own.
  Proof.
    intro symbols. induction symbols as [| symbol rest IH]; intros [| character others]; cbn.
    - split; auto.
    - split; [discriminate | intro given; inversion given].
    - destruct symbol; (split; [discriminate | intro given; inversion given]).
    - destruct symbol as [symbol |].
      + destruct (same_text symbol character) as [-> | other].
        * rewrite IH. split; intro given; [constructor; auto | now inversion given].
        * split; [discriminate | intro given; inversion given as [| ? ? ? ? [none | same]]; congruence].
      + rewrite IH. split; intro given; [constructor; auto | now inversion given].
  Qed.

  Theorem covers_is_decided : forall c v, covers_b c v = true <-> covers c v.
  Proof.
    intros [| elements | low high | symbols] v; cbn.
    - tauto.
    - rewrite existsb_exists. split; intros [element [inside same]]; exists element; split; auto; now apply same_value_spec.
    - destruct (number_of v) as [n |]; split.
      + rewrite andb_true_iff, above_spec, below_spec. intros [low_ high_]. now exists n.
      + intros [m [same [low_ high_]]]. injection same as <-. now rewrite andb_true_iff, above_spec, below_spec.
      + discriminate.
      + intros [m [none _]]. discriminate.
    - apply matches_spec.
  Qed.

  Lemma forall2b_spec : forall (A B : Type) (f : A -> B -> bool) (R : A -> B -> Prop),
    (forall x y, f x y = true <-> R x y) -> forall a b, forall2b f a b = true <-> Forall2 R a b.
  Proof.
    intros A B f R spec a. induction a as [| x xs IH]; intros [| y ys]; cbn.
    - split; auto.
    - split; [discriminate | intro given; inversion given].
    - split; [discriminate | intro given; inversion given].
    - specialize (spec x y). specialize (IH ys). destruct (f x y); split; intro given.
      + constructor; tauto.
      + inversion given; subst. tauto.
      + discriminate.
      + inversion given; subst. tauto.
  Qed.

  Lemma reading_covers_spec : forall readings v, reading_covers_b readings v = true <-> reading_covers readings v.
  Proof.
    intros readings v. unfold reading_covers_b, reading_covers. rewrite existsb_exists.
    split; intros [c [inside same]]; exists c; split; auto; now apply covers_is_decided.
  Qed.

  Theorem row_covers_is_decided : forall released original, row_covers_b released original = true <-> row_covers released original.
  Proof. apply forall2b_spec, reading_covers_spec. Qed.

  Theorem table_covers_is_decided : forall released original,
    table_covers_b released original = true <-> table_covers released original.
  Proof. apply forall2b_spec, row_covers_is_decided. Qed.

  Theorem covered_tables_have_equally_many_rows : forall released original,
    table_covers_b released original = true -> length released = length original.
  Proof.
    intros released original covered. apply table_covers_is_decided in covered.
    induction covered as [| r o rs os _ _ IH]; cbn; auto.
  Qed.

  (* What makes a release true. *)

  Theorem a_mask_covers_everything : forall readings v, In Anything readings -> reading_covers readings v.
  Proof. intros readings v inside. exists Anything. split; auto. exact I. Qed.

  Theorem a_set_covers_its_elements : forall elements v, In v elements -> covers (OneOf elements) v.
  Proof. intros elements v inside. exists v. split; auto. now left. Qed.

  Theorem an_interval_covers_what_lies_between_its_bounds : forall low high v n,
    number_of v = Some n -> (amount low <= amount n)%Q -> (amount n <= amount high)%Q ->
    covers (Between (Some (Bound low false)) (Some (Bound high false))) v.
  Proof. intros low high v n is_number above_low below_high. now exists n. Qed.

  (* A cell that is widened covers what it covered. *)
  Theorem widening_keeps_cover : forall (widen : reading -> reading) released original,
    (forall readings v, reading_covers readings v -> reading_covers (widen readings) v) ->
    table_covers released original -> table_covers (map (map widen) released) original.
  Proof.
    intros widen released original wider covered. induction covered as [| r o rs os own _ IH]; cbn; constructor; auto.
    clear IH. induction own as [| c v cs vs own _ IH]; cbn; constructor; auto.
  Qed.

  (* Rows of a group that all get cells which cover every row of the group. *)
  Theorem shared_cells_that_cover_the_group_cover : forall (shared : list reading) (group : list (list value)),
    (forall original, In original group -> row_covers shared original) ->
    table_covers (map (fun _ => shared) group) group.
  Proof.
    intros shared group each. induction group as [| original rest IH]; cbn; constructor.
    - apply each. now left.
    - apply IH. intros other inside. apply each. now right.
  Qed.
End Cover.
