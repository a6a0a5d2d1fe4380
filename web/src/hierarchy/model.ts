// A hierarchy as lines, one per value: the value, then its label at every level up to the one of all. What can be done with it, as plain functions.

export type Lines = string[][];
/** A node: the values below it, with the line of one of them. */
export interface Node { label: string; level: number; path: string[]; values: string[]; children: Node[] }
/** What is moved: a node without what hangs below it. */
export interface Part { values: string[]; level: number; label: string }
export const partOf = (node: Node): Part => ({ values: node.values, level: node.level, label: node.label });

export function treeOf(lines: Lines): Node | null {
  if (!lines.length) return null;
  const build = (rows: Lines, level: number): Node => {
    const node: Node = { label: rows[0]![level]!, level, path: rows[0]!, values: rows.map((row) => row[0]!), children: [] };
    if (level === 0) return node;
    const groups = new Map<string, Lines>();
    for (const row of rows) { const key = row[level - 1]!, group = groups.get(key); if (group) group.push(row); else groups.set(key, [row]); }
    node.children = [...groups.values()].map((group) => build(group, level - 1));
    return node;
  };
  return build(lines, lines[0]!.length - 1);
}
/** Leaves out levels at which a node has itself as its only child. */
export const skip = (node: Node): Node => node.children.length === 1 && node.children[0]!.label === node.label ? skip(node.children[0]!) : node;
/** The nodes that something can be put into. */
export const groupsOf = (node: Node | null): Node[] => {
  if (node === null) return [];
  const shown = skip(node);
  return shown.children.length ? [shown, ...shown.children.flatMap(groupsOf)] : [];
};

const element = (value: string): string => value === "" || /[,{}"\\]|^\s|\s$/.test(value) ? `"${value.replace(/["\\]/g, "\\$&")}"` : value;
const isInterval = (label: string): boolean => /^\[-?[\d.]+,-?[\d.]+\]$/.test(label);
function labelOf(values: string[], was: string): string {
  if (values.length === 1) return values[0]!;
  if (isInterval(was) && values.every((value) => value !== "" && !Number.isNaN(+value))) {
    const sorted = [...values].sort((a, b) => +a - +b);
    return `[${sorted[0]},${sorted[sorted.length - 1]}]`;
  }
  return `{${[...values].sort((a, b) => a < b ? -1 : a > b ? 1 : 0).map(element).join(",")}}`;
}
/** Labels that list their values or span them follow what is below them; names that people gave stay. */
function relabel(lines: Lines): Lines {
  const made = lines.map((line) => [...line]), values = new Set(lines.map((line) => line[0]!));
  for (let level = 1; level < (made[0]?.length ?? 0) - 1; ++level) {
    const below = new Map<string, Lines>();
    for (const line of made) { const label = line[level]!; if (/^\{/.test(label) || isInterval(label) || values.has(label)) below.set(label, [...(below.get(label) ?? []), line]); }
    for (const [was, members] of below) { const label = labelOf(members.map((line) => line[0]!), was); for (const line of members) line[level] = label; }
  }
  return made;
}

/** The line of a value up to `level`, with its part's own label where the part did not reach. */
const upTo = (line: string[], part: Part, level: number): string[] => [...line.slice(0, Math.min(level, part.level + 1)), ...Array.from({ length: Math.max(0, level - part.level - 1) }, () => part.label)];
const partWith = (parts: Part[], value: string): Part | undefined => parts.find((part) => part.values.includes(value));

/** Puts parts below the node that `to` belongs to at `level`. */
export function move(lines: Lines, parts: Part[], to: string[], level: number): Lines {
  return relabel(lines.map((line) => { const part = partWith(parts, line[0]!); return part ? [...upTo(line, part, level), ...to.slice(level)] : line; }));
}

/** Puts parts together below a new label, under the nearest node that holds them all; there is a level more if there is no room for it. */
export function group(lines: Lines, parts: Part[], name: string): Lines {
  const low = Math.max(...parts.map((part) => part.level)), chosen = lines.filter((line) => partWith(parts, line[0]!)), top = lines[0]!.length - 1;
  let parent = low + 1;
  while (parent < top && chosen.some((line) => line[parent] !== chosen[0]![parent])) ++parent;
  const room = parent - low > 1;
  return relabel(lines.map((line) => {
    const part = partWith(parts, line[0]!);
    if (!part) return room ? line : [...line.slice(0, low + 1), line[low]!, ...line.slice(low + 1)];
    return [...upTo(line, part, low + 1), ...(room ? Array.from({ length: parent - low - 1 }, () => name) : [name]), ...chosen[0]!.slice(parent)];
  }));
}

/** Gives a node another label, at all levels at which it is the same. */
export function rename(lines: Lines, node: Node, name: string): Lines {
  const inside = new Set(node.values);
  return lines.map((line) => inside.has(line[0]!) ? line.map((label, level) => level > 0 && level < line.length - 1 && label === node.label ? name : label) : line);
}

/** Lets go of a group: what is in it stands where it stood. */
export function dissolve(lines: Lines, node: Node): Lines {
  const inside = new Set(node.values);
  return relabel(lines.map((line) => inside.has(line[0]!) ? line.map((label, level) => level > 0 && level < line.length - 1 && label === node.label ? line.slice(0, level).filter((below) => below !== node.label).pop() ?? line[0]! : label) : line));
}

/** Why a group cannot be called that; "" if it can. */
export function wrongName(lines: Lines, name: string): string {
  if (!name.trim()) return "Give it a name.";
  if (name === "*") return "* stands for a value that is not released.";
  return lines.some((line) => line.includes(name)) ? "Something is called that already." : "";
}
