(* Reads a CSV file: UTF-8 with a header; quotes as in RFC 4180. Not proved; kept small so that it can be read. *)

exception Damaged of string

type table = { names : string list; rows : string array list (* in the order of the file *) }

let read_bytes path =
  try
    let channel = if path = "-" then stdin else open_in_bin path in
    let buffer = Buffer.create 65536 and block = Bytes.create 65536 in
    let rec fill () =
      let got = input channel block 0 (Bytes.length block) in
      if got > 0 then (
        Buffer.add_subbytes buffer block 0 got;
        fill ())
    in
    fill ();
    if path <> "-" then close_in channel;
    Buffer.contents buffer
  with Sys_error message -> raise (Damaged message)

let without_mark bytes =
  let mark = "\xEF\xBB\xBF" in
  if String.length bytes >= 3 && String.sub bytes 0 3 = mark then String.sub bytes 3 (String.length bytes - 3) else bytes

(* Every record with whether it is a line without a single byte; at most [limit] records. *)
let records ?(limit = max_int) delimiter bytes =
  let length = String.length bytes in
  let cell = Buffer.create 64 in
  let found = ref [] and cells = ref [] and count = ref 0 in
  let end_cell () =
    cells := Buffer.contents cell :: !cells;
    Buffer.clear cell
  in
  let end_record blank =
    end_cell ();
    found := (blank, Array.of_list (List.rev !cells)) :: !found;
    cells := [];
    incr count
  in
  let rec quoted at =
    if at >= length then raise (Damaged "a quote is opened and never closed")
    else if bytes.[at] <> '"' then (
      Buffer.add_char cell bytes.[at];
      quoted (at + 1))
    else if at + 1 < length && bytes.[at + 1] = '"' then (
      Buffer.add_char cell '"';
      quoted (at + 2))
    else at + 1
  in
  let rec read at ~begins_record ~begins_cell =
    if at >= length then (if not begins_record then end_record false)
    else if !count < limit then
      match bytes.[at] with
      | '"' when begins_cell -> read (quoted (at + 1)) ~begins_record:false ~begins_cell:false
      | c when c = delimiter ->
          end_cell ();
          read (at + 1) ~begins_record:false ~begins_cell:true
      | '\r' when at + 1 < length && bytes.[at + 1] = '\n' ->
          end_record begins_record;
          read (at + 2) ~begins_record:true ~begins_cell:true
      | '\r' | '\n' ->
          end_record begins_record;
          read (at + 1) ~begins_record:true ~begins_cell:true
      | c ->
          Buffer.add_char cell c;
          read (at + 1) ~begins_record:false ~begins_cell:false
  in
  read 0 ~begins_record:true ~begins_cell:true;
  List.rev !found

(* The character among , ; tab | that gives the header most cells. *)
let sniff bytes =
  let cells delimiter =
    match records ~limit:1 delimiter bytes with (_, cells) :: _ -> Array.length cells | [] -> 0 | exception Damaged _ -> 0
  in
  List.fold_left (fun best candidate -> if cells candidate > cells best then candidate else best) ',' [ ';'; '\t'; '|' ]

let is_utf8 bytes =
  let length = String.length bytes in
  let follows at = at < length && Char.code bytes.[at] land 0xC0 = 0x80 in
  let rec from at =
    if at >= length then true
    else
      let lead = Char.code bytes.[at] in
      let second low high = at + 1 < length && Char.code bytes.[at + 1] >= low && Char.code bytes.[at + 1] <= high in
      if lead < 0x80 then from (at + 1)
      else if lead >= 0xC2 && lead <= 0xDF then follows (at + 1) && from (at + 2)
      else if lead land 0xF0 = 0xE0 then
        second (if lead = 0xE0 then 0xA0 else 0x80) (if lead = 0xED then 0x9F else 0xBF) && follows (at + 2) && from (at + 3)
      else if lead >= 0xF0 && lead <= 0xF4 then
        second (if lead = 0xF0 then 0x90 else 0x80) (if lead = 0xF4 then 0x8F else 0xBF)
        && follows (at + 2) && follows (at + 3) && from (at + 4)
      else false
  in
  from 0

let rec duplicate = function [] -> None | name :: rest -> if List.mem name rest then Some name else duplicate rest

let read ?delimiter path =
  let bytes = without_mark (read_bytes path) in
  if not (is_utf8 bytes) then raise (Damaged (path ^ ": not UTF-8"));
  let delimiter = match delimiter with Some c -> c | None -> sniff bytes in
  match (try records delimiter bytes with Damaged message -> raise (Damaged (path ^ ": " ^ message))) with
  | [] | (true, _) :: _ -> raise (Damaged (path ^ ": the first line must name the columns"))
  | (false, header) :: body ->
      let width = Array.length header in
      let names = Array.to_list header in
      (match duplicate names with
      | Some name -> raise (Damaged (path ^ ": a column name stands there twice: " ^ name))
      | None -> ());
      (* A line without a byte is no row, unless the table has one column, where it is an empty cell. *)
      let rows = List.filter (fun (blank, _) -> width = 1 || not blank) body in
      List.iteri
        (fun number (_, cells) ->
          if Array.length cells <> width then
            raise (Damaged (Printf.sprintf "%s, row %d: %d cells, but %d columns" path (number + 1) (Array.length cells) width)))
        rows;
      { names; rows = List.map snd rows }
