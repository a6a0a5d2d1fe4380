// The tree of a hierarchy: nodes are dragged, or moved by keyboard with "Move to…"; any number at once.
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../parts.tsx";
import { count, cut, plural, shortCell } from "../words.ts";
import { groupsOf, partOf, skip, wrongName, type Lines, type Node, type Part } from "./model.ts";

/** What a tree can be asked to do. */
export interface Edits { lines: Lines; move: (parts: Part[], to: Node) => void; group: (parts: Part[], name: string) => void; rename: (node: Node, name: string) => void; dissolve: (node: Node) => void }

const keyOf = (node: { level: number; label: string }): string => node.level + "\u0000" + node.label;
const opened = signal<Record<string, boolean>>({});
const chosen = signal<Record<string, Part>>({});  // by key
const asking = signal<{ at: string; parts: Part[]; what: "move" | "group" | "rename" } | null>(null);
export const forgetChoices = (): void => { chosen.value = {}; asking.value = null; };
/** Opens what holds a value, up to where it was put, so that what was done is seen. */
export const openPath = (root: Node, value: string): void => {
  for (let node: Node | undefined = root; node && node.children.length; node = node.children.find((child) => child.values.includes(value))) opened.value = { ...opened.value, [keyOf(skip(node))]: true };
};

const partsFor = (node: Node): Part[] => chosen.value[keyOf(node)] ? Object.values(chosen.value) : [partOf(node)];
const nameOf = (parts: Part[]): string => parts.length === 1 ? cut(parts[0]!.label || "(missing)", 40) : plural(parts.length, "entry", "entries");

/** A name for a new group, or another one for a group. */
function NameForm({ words, was = "", lines, onName }: { words: string; was?: string; lines: Lines; onName: (name: string) => void }) {
  const [name, setName] = useState(was), [tried, setTried] = useState(false), field = useRef<HTMLInputElement>(null), wrong = name === was && was ? "" : wrongName(lines, name.trim());
  useEffect(() => field.current?.focus(), []);
  const submit = (e: Event) => { e.preventDefault(); setTried(true); if (!wrong) { asking.value = null; onName(name.trim()); } };
  return <form class="row ask" onSubmit={submit}><label class="grow field"><span class="small">{words}</span><input ref={field} type="text" maxLength={80} value={name} aria-invalid={tried && !!wrong} onInput={(e) => setName(e.currentTarget.value)} onKeyDown={(e) => { if (e.key === "Escape") asking.value = null; }} /></label>
    <button class="btn pri sm" type="submit">{was ? "Rename" : "Make the group"}</button><button class="btn sm" type="button" onClick={() => { asking.value = null; }}>Cancel</button>
    {tried && wrong && <p class="small bad-ink" role="alert">{wrong}</p>}</form>;
}

function MoveForm({ parts, targets, edits }: { parts: Part[]; targets: Node[]; edits: Edits }) {
  const fits = targets.filter((t) => parts.every((p) => t.level > p.level && !(t.values.length === p.values.length && t.label === p.label)) && parts.some((p) => t.path[t.level] !== lineOf(edits.lines, p)[t.level]));
  const field = useRef<HTMLSelectElement>(null);
  useEffect(() => field.current?.focus(), []);
  const pick = (value: string) => {
    if (value === "new") asking.value = { ...asking.value!, what: "group" };
    else if (value) { asking.value = null; edits.move(parts, fits[+value]!); }
  };
  return <div class="row ask"><label class="grow field"><span class="small">Move {nameOf(parts)} to</span><select ref={field} value="" onChange={(e) => pick(e.currentTarget.value)} onKeyDown={(e) => { if (e.key === "Escape") asking.value = null; }}><option value="">choose…</option><option value="new">A new group…</option>{fits.map((t, i) => <option value={i}>{cut(t.label, 60)}</option>)}</select></label>
    <button class="btn sm" onClick={() => { asking.value = null; }}>Cancel</button></div>;
}
const lineOf = (lines: Lines, part: Part): string[] => lines.find((line) => line[0] === part.values[0]) ?? [];

function Ask({ node, targets, edits }: { node: Node | null; targets: Node[]; edits: Edits }) {
  const asked = asking.value!;
  if (asked.what === "rename" && node) return <NameForm words={`Another name for ${cut(node.label, 40)}`} was={node.label} lines={edits.lines} onName={(name) => edits.rename(node, name)} />;
  if (asked.what === "group") return <NameForm words={`A new group with ${nameOf(asked.parts)}, called`} lines={edits.lines} onName={(name) => edits.group(asked.parts, name)} />;
  return <MoveForm parts={asked.parts} targets={targets} edits={edits} />;
}

function Branch({ node, depth, targets, edits }: { node: Node; depth: number; targets: Node[]; edits: Edits }) {
  const shown = skip(node), key = keyOf(shown), leaf = shown.children.length === 0, open = opened.value[key] ?? depth < 2, [over, setOver] = useState(false), [most, setMost] = useState(60), name = shortCell(shown.label || "(missing)", 80);
  const take = (e: DragEvent) => { e.dataTransfer?.setData("text/plain", JSON.stringify(partsFor(shown))); };
  const drop = (e: DragEvent) => {
    e.preventDefault(); setOver(false);
    const parts = readParts(e);
    if (!parts.length || parts.some((p) => keyOf(p) === key)) return;
    if (leaf) asking.value = { at: key, parts: [...parts, partOf(shown)], what: "group" };
    else edits.move(parts, shown);
  };
  const ask = (what: "move" | "rename") => { asking.value = { at: key, parts: partsFor(shown), what }; };
  const choose = (on: boolean) => { const { [key]: _, ...rest } = chosen.value; chosen.value = on ? { ...rest, [key]: partOf(shown) } : rest; };
  return <li>
    <div class={"node" + (leaf ? " leaf" : "") + (over ? " over" : "") + (chosen.value[key] ? " chosen" : "")} draggable={depth > 0} onDragStart={take} onDragOver={(e) => { e.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)} onDrop={drop}>
      {leaf ? <span class="twist" /> : <button class="twist" aria-expanded={open} aria-label={(open ? "Close " : "Open ") + name} onClick={() => { opened.value = { ...opened.value, [key]: !open }; }} />}
      {depth > 0 ? <label class="grow cut check"><input type="checkbox" checked={!!chosen.value[key]} onChange={(e) => choose(e.currentTarget.checked)} aria-label={"Choose " + name} /><span class={"cut" + (leaf ? "" : " b")}>{name}</span></label> : <span class="grow cut"><span class="b">{name}</span>{shown.label === "*" && <span class="small faint"> any value</span>}</span>}
      {!leaf && <span class="small faint">{plural(shown.values.length, "value")}</span>}
      {depth > 0 && <span class="acts">{!leaf && <><button class="btn sm" aria-label={"Rename " + name} onClick={() => ask("rename")}>Rename</button><button class="btn sm" aria-label={"Dissolve " + name} onClick={() => edits.dissolve(shown)}>Dissolve</button></>}<button class="btn sm" aria-label={`Move to…: ${name}`} onClick={() => ask("move")}>Move to…</button></span>}
    </div>
    {asking.value?.at === key && <Ask node={shown} targets={targets} edits={edits} />}
    {!leaf && open && <ul>{shown.children.slice(0, most).map((child) => <Branch key={keyOf(child)} node={child} depth={depth + 1} targets={targets} edits={edits} />)}{shown.children.length > most && <li><button class="btn sm" onClick={() => setMost(most + 300)}>{count(shown.children.length - most)} more</button></li>}</ul>}
  </li>;
}
const readParts = (e: DragEvent): Part[] => { try { return JSON.parse(e.dataTransfer?.getData("text/plain") || "[]") as Part[]; } catch { return []; } };

/** The tree, and below it a place to drop what becomes a new group. */
export function Tree({ root, edits }: { root: Node; edits: Edits }) {
  const targets = groupsOf(root).slice(0, 300), [over, setOver] = useState(false), parts = Object.values(chosen.value);
  return <div class="stack">
    <div class={"newgroup" + (over ? " over" : "")} onDragOver={(e) => { e.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)} onDrop={(e) => { e.preventDefault(); setOver(false); const dropped = readParts(e); if (dropped.length) asking.value = { at: "", parts: dropped, what: "group" }; }}>
      {parts.length ? <><b class="grow">{plural(parts.length, "entry", "entries")} chosen</b><button class="btn sm" onClick={() => { asking.value = { at: "", parts, what: "move" }; }}>Move to…</button><button class="btn pri sm" onClick={() => { asking.value = { at: "", parts, what: "group" }; }}>New group…</button><button class="btn sm" onClick={forgetChoices}>Choose none</button></>
        : <><Icon name="tree" /><span class="grow dim">Choose entries to put them into a new group, or drop them here.</span></>}
    </div>
    {asking.value?.at === "" && <Ask node={null} targets={targets} edits={edits} />}
    <div class="tree"><ul><Branch node={root} depth={0} targets={targets} edits={edits} /></ul></div>
  </div>;
}
