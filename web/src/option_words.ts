// Options in words. An option that is not named here is shown by its own name and help, in the section that the option table gives it.
import type { Option } from "./api.ts";
import { capital } from "./words.ts";

const kWords: Record<string, string> = {
  // requirement
  risk: "Nobody is found with a chance above this", "k-column": "Some people are hidden among more than k",
  diversity: "How different sensitive values are counted", closeness: "Groups look like everybody", reference: "Who “everybody” is",
  likeness: "No value becomes much likelier in a group", disclosure: "Every value stays possible for everybody", alpha: "No value has more than this share of a group",
  spread: "Sensitive numbers of a group are far apart", "max-risk": "Finding somebody in the population stays unlikely", weights: "How many people a row stands for",
  sampling: "Which share of the population is in the table", population: "How many people the population has", "exact-values": "Values count as they are written",
  "missing-counts": "A missing value counts as a value", safe: "Groups are formed before sensitive values are looked at", profile: "A policy is kept",
  // what leaves, and what is protected first
  withhold: "People who stand out may be left out", importance: "Some columns matter more", clip: "Extreme numbers are cut off", pseudonym: "Identifiers become pseudonyms", "shift-dates": "Dates are moved, gaps stay",
  key: "The secret key of pseudonyms and dates", "key-domain": "What the pseudonyms are for", allow: "Columns that are released though they look identifying",
  // cells
  range: "Where the bounds of cells come from", domain: "Where boxes end", "min-member": "Values that few have are not named", recode: "How a group is shown", stratify: "Cuts keep the mix of sensitive values",
  // files
  missing: "How a missing value is written", delimiter: "What separates cells", charset: "The alphabet of the file", sheet: "The sheet of the workbook", "keep-order": "Rows stay in the order of the table", "guard-formulas": "Spreadsheets run no cell",
  lookahead: "The tree looks one step ahead", "class-weights": "Rare labels count as much as common ones",
  relaxed: "Rows at the median may go to either side", categorical: "How names are cut", split: "How the tree branches", prune: "How much of the tree is cut back", explain: "The rules of the tree are shown", clusters: "How many clusters there are",
  iterations: "How long k-means goes on", tolerance: "When k-means is content", restarts: "How often k-means starts anew", "exact-flow": "People are assigned exactly", "cluster-on": "What clusters are made of", encoding: "How names become numbers", repair: "How clusters that fall short are mended",
  polish: "Cells are made tighter afterwards", suppress: "Rows that may be masked", levels: "Levels that are set", minimize: "What the best levels keep", effort: "How hard it tries", "label-share": "How much the label counts", trees: "How many trees weigh the columns", "boundary-only": "Cuts only where labels change", "auto-seconds": "How long methods are tried",
  cells: "How cells are stored in Parquet and Arrow", seed: "The seed of everything random", threads: "How many cores are used",
};
export const titleOf = (option: Option): string => kWords[option.name] ?? capital(option.name.replaceAll("-", " "));

/** What screens ask in their own way, and what a page on this computer has no use for: files are never named by the browser. */
const kElsewhere = new Set(["quasi", "sensitive", "label", "keep", "person", "rows-are-people", "task", "method", "controllers", "controller-column", "k", "l", "hierarchy", "hierarchies", "workload"]);
const ofPlan = (all: Option[]): Option[] => all.filter((o) => o.command === "anonymize" && o.in_plan && !o.of_method && !kElsewhere.has(o.name));
const named = (names: string[]) => (o: Option): boolean => names.includes(o.name);

const kPromises = ["safe", "profile"], kLeaving = ["withhold", "clip", "importance"], kProtecting = ["allow", "pseudonym", "shift-dates", "key", "key-domain"];
/** Promises about the release besides k, l and people. */
export const furtherRequirements = (all: Option[]): Option[] => ofPlan(all).filter((o) => o.requirement || named(kPromises)(o));
/** Sections of the options of a release. What colleagues add to the option table appears by itself, in the last that fits. */
export function releaseOptions(all: Option[]): { title: string; words: string; options: Option[] }[] {
  const rest = ofPlan(all).filter((o) => !o.requirement && !named(kPromises)(o)), own = [...kLeaving, ...kProtecting];
  const section = (...names: string[]) => rest.filter((o) => names.includes(o.section ?? "") && !own.includes(o.name));
  const known = ["Cells", "Input", "Output", "Run"];
  return [
    { title: "Who and what is left out", words: "A few people or numbers that stand out make the cells of all others wider.", options: rest.filter(named(kLeaving)) },
    { title: "The cells", words: "What is shown of a group.", options: section("Cells").concat(rest.filter((o) => !known.includes(o.section ?? "") && !own.includes(o.name))) },
    { title: "Identifiers", words: "What names people is not released, unless you say how.", options: rest.filter(named(kProtecting)) },
    { title: "Files and the run", words: "How the table is read and the release is written.", options: section("Input", "Output", "Run") },
  ].filter((s) => s.options.length);
}
