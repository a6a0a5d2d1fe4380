// A field for an option of the option table: what colleagues add there appears here by itself.
import type { Option } from "./api.ts";
import { setValue, table, values } from "./state.ts";

/** The input of an option. What is left empty takes the default, and is not in the plan. */
export function Field({ option, of = values.value, set = setValue }: { option: Option; of?: Record<string, string | string[] | boolean>; set?: (name: string, value: string | string[] | boolean) => void }) {
  const value = of[option.name], id = "option-" + option.name, text = Array.isArray(value) ? value.join(",") : value === undefined ? "" : String(value);
  if (option.type === "flag") return <label class="check"><input id={id} type="checkbox" checked={value === true || value === "true"} onChange={(e) => set(option.name, e.currentTarget.checked)} />On</label>;
  if (option.type === "choice") return <select id={id} aria-label={option.name} value={text} onChange={(e) => set(option.name, e.currentTarget.value)}>
    <option value="">{option.default ? `${option.default} (default)` : "as it follows"}</option>{option.choices!.map((c) => <option value={c}>{c}</option>)}</select>;
  if (/column/.test(option.value ?? "") && option.type === "text") return <select id={id} aria-label={option.name} value={text} onChange={(e) => set(option.name, e.currentTarget.value)}>
    <option value="">none</option>{table.value?.columns.map((c) => <option value={c.name}>{c.name.slice(0, 60)}</option>)}</select>;
  const number = option.type === "integer" || option.type === "real";
  const common = { id, "aria-label": option.name, placeholder: option.default ?? option.value ?? "", value: text };
  if (number) return <input {...common} type="number" step={option.type === "real" ? "any" : 1} min={option.minimum} max={option.maximum} onInput={(e) => set(option.name, e.currentTarget.value)} />;
  return <input {...common} type="text" onInput={(e) => set(option.name, option.type === "list" ? e.currentTarget.value.split(",").map((x) => x.trim()).filter(Boolean) : e.currentTarget.value)} />;
}
