(* The theorems by name, on texts as Coq has them, and what each rests on: scripts/prove reads what is printed here and fails on
   anything but "Closed under the global context", that is, without a single axiom. *)

From Coq Require Import OrderedTypeEx.
From Tada Require Import Definitions Releases Audit Folds Cover.

Module Texts := Audit String_as_OT.
Module TextFolds := Folds String_as_OT.

(* The verdict. *)
Print Assumptions Texts.passed_implies_the_requirement_holds.
Print Assumptions Texts.the_requirement_holds_implies_passed.
Print Assumptions Texts.reached_k_is_the_largest_that_holds.
Print Assumptions Texts.reached_l_is_the_largest_that_holds.
Print Assumptions Texts.the_order_of_rows_plays_no_part.
Print Assumptions TextFolds.the_fold_is_the_table.
Print Assumptions masked_rows_share_their_cells.
Print Assumptions masked_rows_are_none_or_k.
(* What keeps it. *)
Print Assumptions roll_up_keeps_k.
Print Assumptions roll_up_keeps_l.
Print Assumptions roll_up_keeps_the_requirement.
Print Assumptions merging_classes_keeps_the_requirement.
Print Assumptions union_keeps_k.
Print Assumptions union_keeps_l.
Print Assumptions union_keeps_the_requirement.
Print Assumptions reordering_keeps_the_requirement.
Print Assumptions refinement_releases_the_requirement.
Print Assumptions refinement_releases_every_row.
Print Assumptions Texts.a_refinement_that_holds_passes.
Print Assumptions Texts.a_roll_up_of_what_passed_passes.
Print Assumptions Texts.merging_classes_of_what_passed_passes.
Print Assumptions Texts.the_union_of_what_passed_passes.
(* Cover. *)
Print Assumptions numbers_are_compared_exactly.
Print Assumptions covers_is_decided.
Print Assumptions row_covers_is_decided.
Print Assumptions table_covers_is_decided.
Print Assumptions covered_tables_have_equally_many_rows.
Print Assumptions a_mask_covers_everything.
Print Assumptions a_set_covers_its_elements.
Print Assumptions an_interval_covers_what_lies_between_its_bounds.
Print Assumptions widening_keeps_cover.
Print Assumptions shared_cells_that_cover_the_group_cover.
