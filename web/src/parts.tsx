// Small pieces that screens are made of.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { visible } from "./words.ts";

const kIcons: Record<string, string> = {
  table: "M2 3.5h12v9H2zM2 6.5h12M6 6.500v6", front: "M2 14V2M2 14h12M4 5c2 0 2.500 3 4 4s3 2 5.500 2", compare: "M3 13V7M6.500 13V3M10 13V9M13 13V5",
  tree: "M8 2.500v3M8 5.500H4v3M8 5.500h4v3M2.500 8.500h3v3h-3zM10.500 8.500h3v3h-3z",
  people: "M3 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M9 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M1.500 13c0-2 1.500-3.500 3.500-3.500s3.500 1.500 3.500 3.500M8.500 10.500c.6-.6 1.500-1 2.500-1 2 0 3.500 1.500 3.500 3.500",
  clock: "M2.500 8a5.500 5.500 0 1 0 11 0a5.500 5.500 0 1 0-11 0M8 5v3.200l2.200 1.300", lock: "M3.500 7h9v6.500h-9zM5.500 7V5a2.500 2.500 0 0 1 5 0v2",
  down: "M8 2.500v8M4.500 7.500 8 11l3.500-3.500M3 13.500h10", copy: "M5.500 5.500h8v8h-8zM10.500 3.500v-1h-8v8h1", arrow: "M3 8h10M9 4l4 4-4 4", file: "M4 1.500h5l3.500 3.500v9.500H4zM9 1.500V5h3.500",
  warn: "M8 2 14.500 13.500h-13zM8 6.500v3.200M8 11.700v.1", cross: "m4 4 8 8M12 4l-8 8", search: "M2.500 7a4.500 4.500 0 1 0 9 0a4.500 4.500 0 1 0-9 0m8 3.500 3 3", check: "m3 8.500 3.500 3.500L13 4.500",
  info: "M2.500 8a5.500 5.500 0 1 0 11 0a5.500 5.500 0 1 0-11 0M8 7.200v3.600M8 5v.1", shield: "M8 1.500 13.500 3.500V8c0 3.200-2.300 5.500-5.500 6.500C4.800 13.500 2.500 11.200 2.500 8V3.500zM5.500 8l1.800 1.800L10.800 6", up: "M8 11V3M4.500 6.500 8 3l3.500 3.500M3 13.500h10",
};
/** A filled shield: the verdict's. */
export const Shield = () => <svg viewBox="0 0 16 16" aria-hidden="true"><path fill="currentColor" d="M8 1 14 3.200V8c0 3.500-2.500 6-6 7-3.500-1-6-3.500-6-7V3.200z" /><path fill="none" stroke="var(--met-wash)" stroke-width="1.600" stroke-linecap="round" stroke-linejoin="round" d="M5.300 8.100 7.200 10l3.500-3.800" /></svg>;
export const Icon = ({ name }: { name: string }) => (
  <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d={kIcons[name]} /></svg>
);

export function Head({ title, children, act }: { title: string; children?: ComponentChildren; act?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => { document.title = title + " - tada"; }, [title]);
  return <div class="head"><div><h1 ref={heading} tabIndex={-1}>{title}</h1>{children && <p>{children}</p>}</div>{act && <div class="act">{act}</div>}</div>;
}

export const Card = ({ title, aside, children, class: more = "" }: { title?: string; aside?: ComponentChildren; children: ComponentChildren; class?: string }) => (
  <section class={"card " + more}>
    {title ? <div class="in stack"><div class="row"><h2 class="grow">{title}</h2>{aside}</div>{children}</div> : children}
  </section>
);

export const Note = ({ kind = "", children }: { kind?: "" | "bad" | "met" | "plain"; children: ComponentChildren }) => (
  <div class={"note " + kind}><Icon name={kind === "met" ? "check" : kind === "plain" ? "info" : "warn"} /><div class="stack-s">{children}</div></div>
);

export function Segments<T extends string>({ name, label, value, choices, onPick }: { name: string; label: string; value: T; choices: [T, string][]; onPick: (choice: T) => void }) {
  return <fieldset class="seg"><legend class="vh">{label}</legend>
    {choices.map(([choice, words]) => <label key={choice}><input type="radio" name={name} checked={choice === value} onChange={() => onPick(choice)} />{words}</label>)}
  </fieldset>;
}

export const Meter = ({ share }: { share: number }) => <div class="meter" aria-hidden="true"><i style={{ width: 100 * Math.max(0, Math.min(1, share)) + "%" }} /></div>;

/** A card with a chart that can be read as a table too. */
export function ChartCard({ title, words, label, columns, rows, children, below }: { title: string; words?: ComponentChildren; label: string; columns: string[]; rows: (string | number)[][]; children: ComponentChildren; below?: ComponentChildren }) {
  const [asTable, setAsTable] = useState(false);
  return <Card title={title} aside={<button class="btn quiet sm" onClick={() => setAsTable(!asTable)}>{asTable ? "As a chart" : "As a table"}</button>}>
    {words && <p class="small dim">{words}</p>}
    {asTable
      ? <div class="scroll tall" tabIndex={0} role="region" aria-label={label}><table class="tight"><thead><tr>{columns.map((c, i) => <th scope="col" class={i ? "num" : ""}>{c}</th>)}</tr></thead>
        <tbody>{rows.map((row) => <tr>{row.map((cell, i) => i === 0 ? <th scope="row" class="wrap">{cell}</th> : <td class="num">{cell}</td>)}</tr>)}</tbody></table></div>
      : <figure>{children}</figure>}
    {below}
  </Card>;
}

/** A plan file, with its keys and texts in colours of their own. */
export function Toml({ text }: { text: string }) {
  const pieces = (line: string) => line.split(/("(?:[^"\\]|\\.)*")/).map((piece) => piece.startsWith('"') ? <span class="str">{piece}</span> : piece);
  return <pre class="code" tabIndex={0} role="region" aria-label="The plan file">{visible(text).trimEnd().split("\n").map((line) => {
    const key = /^([\w-]+)( *=)(.*)$/.exec(line);
    return <>{key ? <><span class="key">{key[1]}</span>{key[2]}{pieces(key[3]!)}</> : pieces(line)}{"\n"}</>;
  })}</pre>;
}

/** A released cell: a set may be broken after its commas. */
export const Pieces = ({ text }: { text: string }) => <>{(text.startsWith("{") ? text.split(/(?<=,)/) : [text]).map((piece) => <><span class={piece.length < 24 ? "asone" : ""}>{piece}</span><wbr /></>)}</>;

/** A file's name that may be broken where its words end. */
export const FileName = ({ name }: { name: string }) => <span class="wrap">{visible(name).split(/(?<=[._-])/).map((piece) => <>{piece}<wbr /></>)}</span>;

export function Busy({ words }: { words: string }) {
  return <div class="card"><div class="in dim" role="status">{words}</div></div>;
}
