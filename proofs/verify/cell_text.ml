(* Reads texts as the values and cells of proofs/Cover.v. Not proved: that `[20,30]` is the interval from 20 to 30 is a convention,
   and here it is written down. A text has all readings that its form allows; what is none of them stands for itself.

     [20,30] [20-30] 20-30 20..30 20~30 "20 to 30"   an interval; a bracket that turns away leaves its bound out: [20,30[ (20,30]
     >=50 >50 <=10 <10 50+ [,30]                       bounded on one side
     {a,b} a~b                                        one of these; elements may be "quoted" with backslash escapes
     476**                                            a pattern: a star stands for one character
     *                                                anything *)

open Verified

(* Numbers and days. *)

let rec positive_of_int n =
  if n = 1 then XH else if n land 1 = 1 then XI (positive_of_int (n lsr 1)) else XO (positive_of_int (n lsr 1))

let z_of_int n = if n = 0 then Z0 else if n > 0 then Zpos (positive_of_int n) else Zneg (positive_of_int (-n))
let is_digit c = c >= '0' && c <= '9'
let digit c = z_of_int (Char.code c - Char.code '0')
let negative = function Zpos p -> Zneg p | other -> other
let largest_exponent = 400

(* Sign, digits with a point, exponent; nothing for anything else. *)
let number text =
  let length = String.length text in
  let after_sign = if length > 0 && (text.[0] = '-' || text.[0] = '+') then 1 else 0 in
  let rec digits at mantissa =
    if at < length && is_digit text.[at] then digits (at + 1) (add_digit mantissa (digit text.[at])) else (at, mantissa)
  in
  let point, whole = digits after_sign Z0 in
  let behind, mantissa = if point < length && text.[point] = '.' then digits (point + 1) whole else (point, whole) in
  let decimals = if behind > point then behind - point - 1 else 0 in
  let some_digit = point > after_sign || decimals > 0 in
  let exponent =
    if behind = length then Some 0
    else if text.[behind] = 'e' || text.[behind] = 'E' then
      let rest = String.sub text (behind + 1) (length - behind - 1) in
      let plain = if rest <> "" && (rest.[0] = '+' || rest.[0] = '-') then String.sub rest 1 (String.length rest - 1) else rest in
      if plain = "" || String.length plain > 4 || not (String.for_all is_digit plain) then None
      else Some (if rest.[0] = '-' then -int_of_string plain else int_of_string plain)
    else None
  in
  match exponent with
  | Some exponent when some_digit && abs exponent <= largest_exponent ->
      let mantissa = if length > 0 && text.[0] = '-' then negative mantissa else mantissa in
      Some { mantissa; exponent = z_of_int (exponent - decimals) }
  | _ -> None

let all_digits text from count =
  String.length text >= from + count && String.for_all is_digit (String.sub text from count)

(* YYYY-MM-DD, as the number YYYYMMDD: days in the same order. *)
let day text =
  if String.length text = 10 && all_digits text 0 4 && text.[4] = '-' && all_digits text 5 2 && text.[7] = '-' && all_digits text 8 2
  then
    let part from count = int_of_string (String.sub text from count) in
    let year = part 0 4 and month = part 5 2 and day = part 8 2 in
    let leap = (year mod 4 = 0 && year mod 100 <> 0) || year mod 400 = 0 in
    let days = match month with 2 -> if leap then 29 else 28 | 4 | 6 | 9 | 11 -> 30 | _ -> 31 in
    if month >= 1 && month <= 12 && day >= 1 && day <= days then
      Some { mantissa = z_of_int ((year * 10000) + (month * 100) + day); exponent = Z0 }
    else None
  else None

(* How the texts of a column are read. [compared]: equal numbers are equal values, however they are written. *)
type column = { counts : string -> number option; compared : bool; missing : string list }

let trim text =
  let blank c = c = ' ' || c = '\t' in
  let length = String.length text in
  let first = ref 0 and last = ref length in
  while !first < length && blank text.[!first] do incr first done;
  while !last > !first && blank text.[!last - 1] do decr last done;
  String.sub text !first (!last - !first)

let characters text =
  let length = String.length text in
  let rec from at found =
    if at >= length then List.rev found
    else
      let lead = Char.code text.[at] in
      let size = if lead < 0xC0 then 1 else if lead < 0xE0 then 2 else if lead < 0xF0 then 3 else 4 in
      let size = Stdlib.min size (length - at) in
      from (at + size) (String.sub text at size :: found)
  in
  from 0 []

let is_missing column text = text = "" || List.mem text column.missing

(* All spellings of "missing" are the empty text, which is no number and has no characters that a pattern could match. *)
let value column text =
  if is_missing column text then { written = ""; number_of = None; characters = [] }
  else { written = text; number_of = column.counts text; characters = characters text }

(* An element of a set, or a cell that stands for itself. *)
let element column text =
  let read = value column text in
  if column.compared then { read with number_of = (match read.number_of with None -> column.counts (trim text) | known -> known) }
  else { read with number_of = None }

(* Intervals. *)

let find_from text part from =
  let length = String.length text and size = String.length part in
  let rec look at = if at + size > length then None else if String.sub text at size = part then Some at else look (at + 1) in
  look from

let unbounded = [ ""; "inf"; "-inf"; "+inf"; "infinity"; "-infinity"; "∞"; "-∞"; "+∞" ]

(* Bounds on both sides of the first separator that has some; None in a pair: no bound on that side. *)
let cut counts ~in_brackets text =
  let side part = if in_brackets && List.mem part unbounded then Some None else Option.map Option.some (counts part) in
  let rec at_separator separator ~from =
    match find_from text separator from with
    | None -> None
    | Some at -> (
        let behind = at + String.length separator in
        let low = trim (String.sub text 0 at) and high = trim (String.sub text behind (String.length text - behind)) in
        match (side low, side high) with
        | Some None, Some None -> at_separator separator ~from:(at + 1)
        | Some low, Some high -> Some (low, high)
        | _ -> at_separator separator ~from:(at + 1))
  in
  let rec first_of = function
    | [] -> None
    | separator :: others -> (
        match at_separator separator ~from:0 with None -> first_of others | found -> found)
  in
  first_of [ ","; ";"; ".."; "~"; " to "; "–"; "-" ]

let between ?(low_out = false) ?(high_out = false) (low, high) =
  let bound left_out = Option.map (fun limit -> { limit; left_out }) in
  Between (bound low_out low, bound high_out high)

let starts text prefix = String.length text >= String.length prefix && String.sub text 0 (String.length prefix) = prefix

let one_sided counts text =
  let behind prefix = counts (trim (String.sub text (String.length prefix) (String.length text - String.length prefix))) in
  let low_from prefix low_out = Option.map (fun n -> between ~low_out (Some n, None)) (behind prefix) in
  let high_from prefix high_out = Option.map (fun n -> between ~high_out (None, Some n)) (behind prefix) in
  if starts text ">=" then low_from ">=" false
  else if starts text "<=" then high_from "<=" false
  else if starts text "≥" then low_from "≥" false
  else if starts text "≤" then high_from "≤" false
  else if starts text ">" then low_from ">" true
  else if starts text "<" then high_from "<" true
  else if text.[String.length text - 1] = '+' then
    Option.map (fun n -> between (Some n, None)) (counts (String.sub text 0 (String.length text - 1)))
  else None

let interval counts text =
  let length = String.length text in
  if length < 2 || length > 256 || counts text <> None then None
  else
    match one_sided counts text with
    | Some cell -> Some cell
    | None ->
        let opens = String.contains "[(]" text.[0] and closes = String.contains "])[" text.[length - 1] in
        if opens <> closes then None
        else if not opens then Option.map (fun bounds -> between bounds) (cut counts ~in_brackets:false text)
        else
          let body = trim (String.sub text 1 (length - 2)) in
          let low_out = text.[0] <> '[' and high_out = text.[length - 1] <> ']' in
          let bounds =
            match counts body with Some n -> Some (Some n, Some n) | None -> cut counts ~in_brackets:true body
          in
          Option.map (between ~low_out ~high_out) bounds

(* Sets. *)

(* Between braces; nothing if a quote is not closed or is followed by more text. *)
let elements_in_braces body =
  let length = String.length body in
  let rec skip at = if at < length && body.[at] = ' ' then skip (at + 1) else at in
  let rec quoted buffer at =
    if at >= length then None
    else
      match body.[at] with
      | '"' -> Some (Buffer.contents buffer, at + 1)
      | '\\' when at + 1 >= length -> None
      | '\\' ->
          Buffer.add_char buffer body.[at + 1];
          quoted buffer (at + 2)
      | c ->
          Buffer.add_char buffer c;
          quoted buffer (at + 1)
  in
  let rec from at found =
    let at = skip at in
    let one =
      if at < length && body.[at] = '"' then
        Option.map (fun (text, behind) -> (text, skip behind)) (quoted (Buffer.create 16) (at + 1))
      else
        let behind = match String.index_from_opt body at ',' with Some comma -> comma | None -> length in
        Some (trim (String.sub body at (behind - at)), behind)
    in
    match one with
    | None -> None
    | Some (text, behind) ->
        if behind = length then Some (List.rev (text :: found))
        else if body.[behind] = ',' then from (behind + 1) (text :: found)
        else None
  in
  from 0 []

let set text =
  let length = String.length text in
  if length >= 2 && text.[0] = '{' && text.[length - 1] = '}' then
    let body = String.sub text 1 (length - 2) in
    if trim body = "" then Some [] else elements_in_braces body
  else if String.contains text '~' then
    let elements = List.map trim (String.split_on_char '~' text) in
    if List.mem "" elements then None else Some elements
  else None

let pattern text = List.map (fun character -> if character = "*" then None else Some character) (characters text)

(* Everything that a text of a quasi-identifier may stand for. *)
let readings column text =
  let itself = OneOf [ element column text ] in
  let trimmed = trim text in
  let all condition cell others = if condition then cell :: others else others in
  let stars = String.contains trimmed '*' in
  let only_stars = trimmed <> "" && String.for_all (fun c -> c = '*') trimmed in
  let sets =
    match set trimmed with
    | None -> []
    | Some [ one ] when String.contains one ';' ->  (* some tools write {a;b} *)
        [ OneOf (List.map (element column) (one :: List.map trim (String.split_on_char ';' one))) ]
    | Some elements -> [ OneOf (List.map (element column) elements) ]
  in
  let intervals = match interval column.counts trimmed with Some cell -> [ cell ] | None -> [] in
  (* What is an interval is no set: 20~30 among numbers. *)
  let widened = if intervals <> [] then intervals else if sets <> [] then sets else all stars (Pattern (pattern trimmed)) [] in
  all only_stars Anything (itself :: widened)
