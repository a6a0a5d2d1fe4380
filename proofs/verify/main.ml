(* tada-verify: the proved audit behind a command line. Reads files and options, hands texts to the proved functions of
   Verified (extracted from proofs/*.v), and prints what they answer.
   Exit status: 0 passed, 1 failed, 2 wrong usage, 3 a file cannot be read. *)

open Verified

(* Texts are OCaml's strings. That String.compare is a total order whose equality is that of texts is what the proofs ask of it. *)
module Text = struct
  type t = string

  let compare a b = match String.compare a b with 0 -> EQ | order -> if order < 0 then LT else GT
  let eq_dec = String.equal
end

module Verdict = Audit (Text)
module Fold = Folds (Text)

exception Usage of string

let nat_of_int n =
  let rec up so_far left = if left = 0 then so_far else up (S so_far) (left - 1) in
  up O n

let int_of_nat n =
  let rec down so_far = function O -> so_far | S rest -> down (so_far + 1) rest in
  down 0 n

(* Options. *)

type options = {
  mutable release : string option;
  mutable quasi : (string * string) list;  (* name and kind *)
  mutable sensitive : string list;
  mutable k : int;
  mutable l : int;
  mutable original : string option;
  mutable keep_order : bool;
  mutable delimiter : char option;
  mutable missing : string list;
  mutable missing_counts : bool;
  mutable fold : string option;
}

(* Items between commas; '' and "" are empty ones, a quoted item is taken as it is. *)
let split_list text =
  match Csv.records ',' text with
  | [] -> []
  | (_, cells) :: _ -> List.map (fun item -> if item = "''" then "" else Cell_text.trim item) (Array.to_list cells)
  | exception Csv.Damaged _ -> raise (Usage ("a quote is not closed: " ^ text))

(* A suffix says the kind: age:numeric. *)
let name_and_kind item =
  match String.rindex_opt item ':' with
  | Some at when List.mem (String.sub item (at + 1) (String.length item - at - 1)) [ "numeric"; "categorical"; "ordinal" ] ->
      (String.sub item 0 at, String.sub item (at + 1) (String.length item - at - 1))
  | _ -> (item, "")

let count_option name text =
  match int_of_string_opt text with
  | Some n when n >= 1 && String.for_all Cell_text.is_digit text -> n
  | _ -> raise (Usage (name ^ " must be a number of at least 1"))

let delimiter_of = function
  | "tab" -> '\t'
  | text when String.length text = 1 && not (String.contains "\"\n\r" text.[0]) -> text.[0]
  | _ -> raise (Usage "--delimiter must be one character, or 'tab'")

let parse arguments =
  let options =
    { release = None; quasi = []; sensitive = []; k = 5; l = 1; original = None; keep_order = false; delimiter = None;
      missing = [ ""; "?" ]; missing_counts = false; fold = None }
  in
  let rec read = function
    | [] -> ()
    | "--quasi" :: text :: rest -> options.quasi <- List.map name_and_kind (split_list text); read rest
    | "--sensitive" :: text :: rest ->
        options.sensitive <- List.map (fun item -> fst (name_and_kind item)) (split_list text);
        read rest
    | ("-k" | "--k") :: text :: rest -> options.k <- count_option "k" text; read rest
    | ("-l" | "--l") :: text :: rest -> options.l <- count_option "l" text; read rest
    | "--original" :: path :: rest -> options.original <- Some path; read rest
    | "--keep-order" :: rest -> options.keep_order <- true; read rest
    | "--delimiter" :: text :: rest -> options.delimiter <- Some (delimiter_of text); read rest
    | "--missing" :: text :: rest -> options.missing <- split_list text; read rest
    | "--missing-counts" :: rest -> options.missing_counts <- true; read rest
    | "--fold" :: path :: rest -> options.fold <- Some path; read rest
    | word :: _ when String.length word > 1 && word.[0] = '-' -> raise (Usage ("unknown option, or one without its value: " ^ word))
    | path :: rest ->
        if options.release <> None then raise (Usage "one release at a time");
        options.release <- Some path;
        read rest
  in
  read arguments;
  if options.release = None then raise (Usage "no release is given");
  if options.quasi = [] then raise (Usage "no quasi-identifier is given: --quasi");
  if options.l > 1 && options.sensitive = [] then raise (Usage "l needs a sensitive column: --sensitive");
  if options.original <> None && not options.keep_order then
    raise (Usage "--original needs --keep-order: rows are compared one by one, released row i with row i of the original");
  List.iter
    (fun (name, _) -> if List.mem name options.sensitive then raise (Usage ("a column is both quasi-identifier and sensitive: " ^ name)))
    options.quasi;
  options

(* Columns of a file. *)

let index_of (file : Csv.table) name =
  let rec look at = function [] -> None | first :: rest -> if first = name then Some at else look (at + 1) rest in
  look 0 file.names

let index_in path file name =
  match index_of file name with Some index -> index | None -> raise (Usage (Printf.sprintf "%s has no column %s" path name))

let column_texts (file : Csv.table) index = List.map (fun row -> row.(index)) file.rows

(* The requirement. *)

(* The fold of every sensitive column: all pairs of the file, or those that name the column. *)
let folds options =
  let pairs =
    match options.fold with
    | None -> fun _ -> []
    | Some path -> (
        let file = Csv.read path in
        let rows = file.rows in
        match file.names with
        | [ "value"; "canonical" ] -> fun _ -> List.map (fun row -> (row.(0), row.(1))) rows
        | [ "column"; "value"; "canonical" ] ->
            fun name -> List.filter_map (fun row -> if row.(0) = name then Some (row.(1), row.(2)) else None) rows
        | _ -> raise (Csv.Damaged (path ^ ": its columns must be value,canonical or column,value,canonical")))
  in
  let missing = Fold.missing_table options.missing in
  let missing_value =
    match options.missing with first :: _ when options.missing_counts -> Some first | _ -> None
  in
  let tables = Array.of_list (List.map (fun name -> Fold.pair_table (pairs name)) options.sensitive) in
  fun column written -> Fold.look_up tables.(int_of_nat column) missing missing_value written

let rows_of_release options path file =
  let quasi = List.map (fun (name, _) -> index_in path file name) options.quasi in
  let sensitive = List.map (index_in path file) options.sensitive in
  List.rev
    (List.rev_map
       (fun row -> { cells = List.map (Array.get row) quasi; values = List.map (Array.get row) sensitive })
       file.Csv.rows)

(* Against the original. *)

let remember read =
  let known = Hashtbl.create 1024 in
  fun text ->
    match Hashtbl.find_opt known text with
    | Some answer -> answer
    | None ->
        let answer = read text in
        Hashtbl.add known text answer;
        answer

(* A column is one of numbers, or of days, if it is said to be, or if all its values are. *)
let column_kind options kind texts =
  let present = List.filter (fun text -> text <> "" && not (List.mem text options.missing)) texts in
  let all counts = present <> [] && List.for_all (fun text -> counts text <> None) present in
  let column counts compared = { Cell_text.counts; compared; missing = options.missing } in
  if kind = "" || kind = "numeric" then
    if all Cell_text.day then column Cell_text.day true
    else if all Cell_text.number then column Cell_text.number true
    else column Cell_text.number false
  else column Cell_text.number false

(* For each released column that the original has: its name, what its texts may stand for, and the original's values. *)
let compared_columns options release original =
  List.filter_map
    (fun name ->
      match (index_of release name, index_of original name) with
      | Some released, Some source ->
          let kind = List.assoc_opt name options.quasi in
          let texts = column_texts original source in
          let column = column_kind options (Option.value kind ~default:"") texts in
          let reads =
            if kind <> None then Cell_text.readings column
            else
              let column = if List.mem name options.sensitive then column else { column with compared = false } in
              fun text -> [ OneOf [ Cell_text.element column text ] ]
          in
          Some (released, source, remember reads, remember (Cell_text.value column))
      | _ -> None)
    release.Csv.names

(* The numbers of rows that do not cover, counted from 1; nothing if the files have not equally many. *)
let uncovered options release original =
  let columns = compared_columns options release original in
  let covered row source =
    row_covers_b String.equal
      (List.map (fun (index, _, reads, _) -> reads row.(index)) columns)
      (List.map (fun (_, index, _, value) -> value source.(index)) columns)
  in
  let rec walk number found = function
    | [], [] -> Some (List.rev found)
    | row :: rows, source :: sources -> walk (number + 1) (if covered row source then found else number :: found) (rows, sources)
    | _ -> None
  in
  walk 1 [] (release.Csv.rows, original.Csv.rows)

(* The verdict. *)

type answer = { passed : bool; k : int; l : int list; rows : int; classes : int; masked : int; problems : string list }

let verify (options : options) =
  let path = Option.get options.release in
  let release = Csv.read ?delimiter:options.delimiter path in
  let table = rows_of_release options path release in
  let fold = folds options in
  let columns = List.length options.sensitive in
  let asked = if options.l > 1 then columns else 0 (* l = 1 asks nothing, of classes without any value either *) in
  let holds = Verdict.passes fold (nat_of_int options.k) (nat_of_int options.l) (nat_of_int asked) table in
  let k = int_of_nat (Verdict.reached_k table) in
  let l = List.mapi (fun column _ -> int_of_nat (Verdict.reached_l fold (nat_of_int column) table)) options.sensitive in
  let cover =
    match options.original with
    | None -> []
    | Some original_path -> (
        let original = Csv.read ?delimiter:options.delimiter original_path in
        List.iter (fun (name, _) -> ignore (index_in original_path original name)) options.quasi;
        match uncovered options release original with
        | Some [] -> []
        | Some (first :: _ as rows) ->
            [ Printf.sprintf "%d rows do not cover the original; the first is row %d" (List.length rows) first ]
        | None -> [ "release and original have not equally many rows" ])
  in
  let problems = if holds then cover else "the requirement does not hold" :: cover in
  let masked = List.length (List.filter (fun row -> List.for_all (String.equal "*") row.cells) table) in
  { passed = problems = []; k; l; rows = List.length table; classes = int_of_nat (Verdict.num_classes table); masked; problems }

let print_answer (options : options) answer =
  print_endline (if answer.passed then "PASSED" else "FAILED");
  List.iter (fun problem -> print_endline ("  " ^ problem)) answer.problems;
  Printf.printf "Asked    k=%d l=%d (distinct)\n" options.k options.l;
  Printf.printf "Reached  k=%d%s\n" answer.k
    (String.concat "" (List.map2 (fun name l -> Printf.sprintf " l=%d in %s" l name) options.sensitive answer.l));
  Printf.printf "%d rows in %d classes; %d masked\n" answer.rows answer.classes answer.masked

let status answer = if answer.passed then 0 else 1

(* One run per line of a file, arguments between tabs; answers with a line: exit status, k, l of each column, rows, classes. *)
let batch path =
  let lines = String.split_on_char '\n' (Csv.read_bytes path) in
  List.iter
    (fun line ->
      if line <> "" then
        match verify (parse (String.split_on_char '\t' line)) with
        | answer ->
            Printf.printf "%d\t%d\t%s\t%d\t%d\n" (status answer) answer.k
              (String.concat "," (List.map string_of_int answer.l))
              answer.rows answer.classes
        | exception Usage _ -> print_endline "2"
        | exception Csv.Damaged _ -> print_endline "3")
    lines;
  0

let help =
  "tada-verify: verifies k and distinct l of a CSV release by a program extracted from proofs (proofs/README.md).\n\n\
   tada-verify RELEASE.csv --quasi A,B [--sensitive S,..] [-k N] [-l N]\n\
  \  --original FILE --keep-order   also verify that row i covers row i of the original\n\
  \  --fold FILE                    CSV with the columns value,canonical (or column,value,canonical): texts that are one value\n\
  \  --missing LIST                 spellings of a missing value [default: '',?]\n\
  \  --missing-counts               a missing value counts towards l, as one value\n\
  \  --delimiter C                  of the CSV files; 'tab' is one [default: sniffed among , ; tab |]\n\
   tada-verify --batch FILE         one run per line, arguments between tabs\n\n\
   Exit status: 0 passed   1 failed   2 wrong usage   3 a file cannot be read\n"

let run = function
  | [] | [ "--help" ] | [ "-h" ] -> print_string help; 0
  | [ "--batch"; path ] -> batch path
  | arguments ->
      let options = parse arguments in
      let answer = verify options in
      print_answer options answer;
      status answer

let () =
  let fail code message =
    prerr_endline ("tada-verify: error: " ^ message);
    code
  in
  exit
    (try run (List.tl (Array.to_list Sys.argv)) with
    | Usage message -> fail 2 message
    | Csv.Damaged message -> fail 3 message)
