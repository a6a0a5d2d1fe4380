// A field for an option of the option table: what colleagues add there appears here by itself.
import { useState } from "preact/hooks";
import type { Option } from "./api.ts";
import { titleOf } from "./option_words.ts";
import { Icon } from "./parts.tsx";
import { setValue, table, values } from "./state.ts";
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
  "range tight": "of the people inside", "range cut": "of the cuts: nobody's values", "recode cells": "intervals, sets and labels", "recode exact": "the value if all share it, else *", "recode mean": "their mean",
  "reference controller": "the controller's own people", "reference table": "the whole table", "cells typed": "as numbers and lists", "cells text": "as text", "cells postgres": "as PostgreSQL writes them",
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

/** The input of an option. What is left empty takes the default, and is not in the plan. */
export function Field({ option, of = values.value, set = setValue }: FieldOf) {
  const value = of[option.name], id = "option-" + option.name, text = Array.isArray(value) ? value.join(",") : value === undefined ? "" : String(value), items = Array.isArray(value) ? value : text ? [text] : [], label = titleOf(option);
  if (isFlag(option) && option.choices?.length) return <select id={id} aria-label={label} value={text} onChange={(e) => set(option.name, e.currentTarget.value === "true" ? true : e.currentTarget.value)}><option value="">where it is needed</option><option value="true">always</option>{option.choices.map((c) => <option value={c}>{c}</option>)}</select>;
  if (isFlag(option)) return <label class="check"><input id={id} type="checkbox" checked={value === true || value === "true"} onChange={(e) => set(option.name, e.currentTarget.checked)} /><span aria-hidden="true">{value === true || value === "true" ? "Yes" : "No"}</span><span class="vh">{label}</span></label>;
  if (option.type === "choice") return <select id={id} aria-label={label} value={text} onChange={(e) => set(option.name, e.currentTarget.value)}>
    <option value="">{option.default ? `${choiceWords(option, option.default)} (usual)` : "as it follows"}</option>{option.choices!.filter((c) => c !== option.default || c === text).map((c) => <option value={c}>{choiceWords(option, c)}</option>)}</select>;
  if (option.name === "key") return <p class="small dim">tada makes it where it is needed; it is among the files of the release, and secret.</p>;
  if (option.name === "profile") return <><input id={id} aria-label={label} list="profiles" type="text" placeholder="cms, risk:0.09, …" value={text} onInput={(e) => set(option.name, e.currentTarget.value)} /><datalist id="profiles"><option value="cms">no cell of fewer than 11 people</option><option value="risk:0.09">k of at least 1/0.09</option><option value="hipaa-safe-harbor" /></datalist></>;
  if (option.type === "list" && option.value === "columns") return <ColumnsField option={option} items={items} set={set} />;
  if (option.type === "list" && /^column=/.test(option.value ?? "")) return <PairsField option={option} items={items} set={set} />;
  if (option.value === "column" && option.type === "text") return <select id={id} aria-label={label} value={text} onChange={(e) => set(option.name, e.currentTarget.value)}><option value="">none</option>{columnChoices()}</select>;
  const common = { id, "aria-label": label, placeholder: option.default ?? option.value ?? "", value: text };
  if (option.type === "integer" || option.type === "real") return <input {...common} type="number" step={option.type === "real" ? "any" : 1} min={option.minimum} max={option.maximum} onInput={(e) => set(option.name, e.currentTarget.value)} />;
  return <input {...common} type="text" onInput={(e) => set(option.name, option.type === "list" ? splitList(e.currentTarget.value) : e.currentTarget.value)} />;
}
const splitList = (text: string): string[] => text.split(",").map((x) => x.trim()).filter(Boolean);

/** An option with its words at the left and its field at the right. */
export const OptionLine = ({ option, more = "" }: { option: Option; more?: string }) => <div class="req"><div class="stack-s"><p class="say">{titleOf(option)} <code class="flag">--{option.name}</code></p><p>{option.help} {more}</p></div><div class="ctl"><Field option={option} /></div></div>;
