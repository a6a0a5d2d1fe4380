// A field for an option of the option table: what colleagues add there appears here by itself.
import { useState } from "preact/hooks";
import type { Option } from "./api.ts";
import { titleOf } from "./option_words.ts";
import { Icon } from "./parts.tsx";
import { columnsWith, setValue, table, values } from "./state.ts";
import { cut } from "./words.ts";

type Value = string | string[] | boolean;
type Set = (name: string, value: Value) => void;
interface FieldOf { option: Option; of?: Record<string, Value>; set?: Set }
const columns = () => table.value?.columns ?? [];
const columnChoices = () => columns().map((c) => <option value={c.name}>{cut(c.name || "(no name)", 50)}</option>);

/** A flag that also knows "never", as --stratify does. */
const isFlag = (option: Option): boolean => option.type === "flag";
/** Words for choices that are terse on the command line. */
const kChoices: Record<string, string> = {
  "range tight": "of those inside", "range cut": "of the cuts: nobody's values", "recode cells": "intervals and sets", "recode exact": "the value if all share it, else *", "recode mean": "their mean",
  "reference controller": "its own people", "reference table": "the whole table", "cells typed": "as numbers and lists", "cells text": "as text", "cells postgres": "as PostgreSQL writes them",
};
const choiceWords = (option: Option, choice: string): string => kChoices[`${option.name} ${choice}`] ?? choice;

/** Items of a list, each with a button to take it out. */
function Items({ items, onDrop }: { items: string[]; onDrop: (item: string) => void }) {
  return items.length ? <ul class="items">{items.map((item) => <li class="chip"><span class="cut">{cut(item, 40)}</span><button aria-label={"Take out " + cut(item, 40)} onClick={() => onDrop(item)}><Icon name="cross" /></button></li>)}</ul> : null;
}

/** Columns that are picked one after the other. */
function ColumnsField({ option, items, set }: { option: Option; items: string[]; set: Set }) {
  const free = columns().filter((c) => !items.includes(c.name));
  return <><Items items={items} onDrop={(item) => set(option.name, items.filter((x) => x !== item))} /><select id={"option-" + option.name} aria-label={titleOf(option)} value="" onChange={(e) => { if (e.currentTarget.value) set(option.name, [...items, e.currentTarget.value]); }}><option value="">Add a column…</option>{free.map((c) => <option value={c.name}>{cut(c.name || "(no name)", 50)}</option>)}</select></>;
}

/** Columns with something of their own: age=18..90, zip=0.5. */
function PairsField({ option, items, set }: { option: Option; items: string[]; set: Set }) {
  const [column, setColumn] = useState(""), [text, setText] = useState(""), takes = (option.value ?? "").split("=")[1] ?? "value";
  const add = (e: Event) => { e.preventDefault(); if (!column || !text.trim()) return; set(option.name, [...items.filter((x) => !x.startsWith(column + "=")), `${column}=${text.trim()}`]); setText(""); };
  return <form class="stack-s" onSubmit={add}><Items items={items} onDrop={(item) => set(option.name, items.filter((x) => x !== item))} />
    <select id={"option-" + option.name} aria-label={titleOf(option) + ": column"} value={column} onChange={(e) => setColumn(e.currentTarget.value)}><option value="">A column…</option>{columnChoices()}</select>
    <div class="row tightly nowrap"><input type="text" class="grow" aria-label={titleOf(option) + ": " + takes} placeholder={takes} value={text} onInput={(e) => setText(e.currentTarget.value)} /><button class="btn sm" type="submit" disabled={!column || !text.trim()}>Add</button></div></form>;
}

/** A limit for sensitive columns, as --closeness takes it: [column=]t[:equal|ordered]. */
function DemandField({ option, items, set }: { option: Option; items: string[]; set: Set }) {
  const [column, setColumn] = useState(""), [limit, setLimit] = useState(""), [kind, setKind] = useState(""), label = titleOf(option), tail = /\[:(.*)\]$/.exec(option.value ?? "")?.[1] ?? "", kinds = tail.includes("|") ? tail.split("|") : [];
  const add = (e: Event) => { e.preventDefault(); if (!limit.trim()) return; set(option.name, [...items.filter((x) => column ? !x.startsWith(column + "=") : x.includes("=")), (column ? column + "=" : "") + limit.trim() + (kind.trim() ? ":" + kind.trim() : "")]); setLimit(""); };
  return <form class="stack-s" onSubmit={add}><Items items={items} onDrop={(item) => set(option.name, items.filter((x) => x !== item))} />
    <select id={"option-" + option.name} aria-label={label + ": of which column"} value={column} onChange={(e) => setColumn(e.currentTarget.value)}><option value="">every sensitive column</option>{columnsWith("sensitive").map((c) => <option value={c.name}>{cut(c.name, 50)}</option>)}</select>
    {kinds.length > 0 && <select aria-label={label + ": kind"} value={kind} onChange={(e) => setKind(e.currentTarget.value)}><option value="">the usual kind</option>{kinds.map((x) => <option value={x}>{x}</option>)}</select>}
    {tail && !kinds.length && <input type="text" aria-label={label + ": " + tail} placeholder={"all " + tail} value={kind} onInput={(e) => setKind(e.currentTarget.value)} />}
    <div class="row tightly nowrap"><input type="number" class="grow" step="any" min="0" aria-label={label + ": limit"} placeholder="limit" value={limit} onInput={(e) => setLimit(e.currentTarget.value)} /><button class="btn sm" type="submit" disabled={!limit.trim()}>Add</button></div></form>;
}

const kProfiles: [string, string][] = [["cms", "CMS: no cell of fewer than 11 people"], ["hipaa-safe-harbor", "HIPAA: safe harbor"], ["risk:0.2", "a chance of at most 20%"], ["risk:0.09", "a chance of at most 9%"], ["risk:0.05", "a chance of at most 5%"]];
const kDiversities: [string, string][] = [["entropy", "by entropy: evenly spread"], ["recursive:2", "recursive, c = 2"], ["recursive:3", "recursive, c = 3"], ["recursive:4", "recursive, c = 4"]];
/** Texts that are one of a few, in words; others that a plan brings along stay. */
function Words({ option, text, empty, choices, set }: { option: Option; text: string; empty: string; choices: [string, string][]; set: Set }) {
  return <select id={"option-" + option.name} aria-label={titleOf(option)} value={text} onChange={(e) => set(option.name, e.currentTarget.value)}><option value="">{empty}</option>{text && !choices.some(([c]) => c === text) && <option value={text}>{text}</option>}{choices.map(([c, words]) => <option value={c}>{words}</option>)}</select>;
}

/** The input of an option. What is left empty takes the default, and is not in the plan. */
export function Field({ option, of = values.value, set = setValue }: FieldOf) {
  const value = of[option.name], id = "option-" + option.name, text = Array.isArray(value) ? value.join(",") : value === undefined ? "" : String(value), items = Array.isArray(value) ? value : text ? [text] : [], label = titleOf(option);
  if (isFlag(option) && option.choices?.length) return <select id={id} aria-label={label} value={text} onChange={(e) => set(option.name, e.currentTarget.value === "true" ? true : e.currentTarget.value)}><option value="">where it is needed</option><option value="true">always</option>{option.choices.map((c) => <option value={c}>{c}</option>)}</select>;
  if (isFlag(option)) return <label class="check"><input id={id} type="checkbox" checked={value === true || value === "true"} onChange={(e) => set(option.name, e.currentTarget.checked)} /><span aria-hidden="true">{value === true || value === "true" ? "Yes" : "No"}</span><span class="vh">{label}</span></label>;
  if (option.type === "choice") return <select id={id} aria-label={label} value={text} onChange={(e) => set(option.name, e.currentTarget.value)}>
    <option value="">{option.default ? `${choiceWords(option, option.default)} (usual)` : "as it follows"}</option>{option.choices!.filter((c) => c !== option.default || c === text).map((c) => <option value={c}>{choiceWords(option, c)}</option>)}</select>;
  if (option.name === "key") return <p class="small dim">tada makes it where it is needed; it is among the files of the release, and secret.</p>;
  if (option.name === "profile") return <Words option={option} text={text} empty="none" choices={kProfiles} set={set} />;
  if (option.name === "diversity") return <Words option={option} text={text} empty="different values (usual)" choices={kDiversities} set={set} />;
  if (option.type === "list" && /^\[column=\]/.test(option.value ?? "")) return <DemandField option={option} items={items} set={set} />;
  if (option.type === "list" && option.value === "columns") return <ColumnsField option={option} items={items} set={set} />;
  if (option.type === "list" && /^column=/.test(option.value ?? "")) return <PairsField option={option} items={items} set={set} />;
  if (option.value === "column" && option.type === "text") return <select id={id} aria-label={label} value={text} onChange={(e) => set(option.name, e.currentTarget.value)}><option value="">none</option>{columnChoices()}</select>;
  const common = { id, "aria-label": label, placeholder: option.default ?? option.value ?? "", value: text };
  if (option.type === "integer" || option.type === "real") return <input {...common} type="number" step={option.type === "real" ? "any" : 1} min={option.minimum} max={option.maximum} onInput={(e) => set(option.name, e.currentTarget.value)} />;
  return <input {...common} type="text" onInput={(e) => set(option.name, option.type === "list" ? splitList(e.currentTarget.value) : e.currentTarget.value)} />;
}
const splitList = (text: string): string[] => text.split(",").map((x) => x.trim()).filter(Boolean);

/** An option with its words at the left and its field at the right. */
export const OptionLine = ({ option }: { option: Option }) => <div class="req"><div class="stack-s"><p class="say">{titleOf(option)} <code class="flag">--{option.name}</code></p><p>{option.help}</p></div><div class="ctl"><Field option={option} /></div></div>;
