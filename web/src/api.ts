// The server's answers, and how they are asked for. The token comes in the fragment of the address, which no browser sends anywhere,
// and goes out as a header.

export interface Problem { status: number; title: string; detail: string; hint?: string; exit_code?: number }
export class ApiError extends Error {
  constructor(readonly problem: Problem) { super(problem.detail); }
}

export interface TableInfo { id: string; name: string; file: string; bytes: number; uploaded: boolean; made_up: boolean }
export interface Column {
  name: string; kind: string; date: boolean; kind_differs?: boolean; distinct: number; missing: number; uniqueness: number;
  role: string; reason: string; shape: number[];
}
export interface Profile extends TableInfo { rows: number; columns: Column[]; people: number; reading: Values }
export interface Risk {
  members: number; unique: number; classes: number; below_k: number;
  sizes: { from: number; to: number; members: number }[];
  if_changed: { name: string; unique: number }[];
}
export interface Option {
  name: string; type: "flag" | "integer" | "real" | "text" | "list" | "choice"; help: string; default?: string; choices?: string[];
  minimum?: number; maximum?: number; section?: string; value?: string; command?: string; in_plan?: boolean; of_method?: boolean; requirement?: boolean;
}
export interface Method { name: string; maturity: string; summary: string; tasks: string[]; options: Option[] }
export interface Options { version: string; options: Option[]; methods: Method[]; requirements: { option: string; meaning: string }[] }
export type Values = Record<string, string | string[] | boolean>;
export interface Plan { values: Values; columns: Record<string, { hierarchy?: string; order?: string[] | string }>; controllers: Record<string, Values>; methods?: Record<string, Values> }
export interface PlanView { plan: Plan; toml?: string; options?: string; inspect?: string; command: string; python: string; errors: { field: string; detail: string; hint: string }[] }
export interface Feasible { feasible: boolean; controllers: { name: string; members: number; largest: string; feasible: boolean; detail?: string; hint?: string }[] }
export interface JobFile { name: string; bytes: number; words: string; confidential: boolean; sha256?: string }
export interface Job {
  id: string; kind: string; table: string; command: string; state: "waiting" | "running" | "done" | "failed" | "cancelled";
  stage: string; done: number; total: number; words: string; stages: { name: string; seconds: number }[]; seconds: number; begun: string;
  stage_seconds: number; seconds_left?: number; exit_code?: number; error?: { detail: string; hint: string }; files: JobFile[];
  about: { plan?: Plan; toml?: string; output?: string; after?: string; table_name?: string; options?: Values };
}

const kKey = "tada-token";
const kNoAnswer: Problem = { status: 0, title: "No answer", detail: "tada does not answer", hint: "It was stopped, or its terminal was closed. Start it again with 'tada serve'." };
const kMostTries = 6;  // half a second apart

/** Takes the token out of the address, so that it does not stand there to be seen. */
export function takeToken(): boolean {
  const given = /^#token=([0-9a-f]+)(.*)$/.exec(location.hash);
  if (given) {
    sessionStorage.setItem(kKey, given[1]!);
    history.replaceState(null, "", "/" + (given[2] || ""));
  }
  return sessionStorage.getItem(kKey) !== null;
}

const headers = (): Record<string, string> => ({ Authorization: "Bearer " + (sessionStorage.getItem(kKey) ?? "") });

async function check(response: Response): Promise<Response> {
  if (response.ok) return response;
  let problem: Problem = { status: response.status, title: "Error", detail: "The server answered with " + response.status };
  try { problem = await response.json(); } catch { /* not from us */ }
  throw new ApiError(problem);
}

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const init: RequestInit = { method, headers: headers(), cache: "no-store" };
  if (body instanceof Blob) init.body = body;
  else if (body !== undefined) init.body = JSON.stringify(body);
  let response: Response;
  try { response = await fetch(path, init); } catch {
    throw new ApiError(kNoAnswer);
  }
  return check(response);
}

export const get = async <T>(path: string): Promise<T> => (await send("GET", path)).json();
export const post = async <T>(path: string, body: unknown): Promise<T> => (await send("POST", path, body)).json();
const kOvertaken = 130, kFirstWait = 150, kLongestWait = 3000;
/** Asks a question of a table. The server answers the newest alone, and that may be another tab's or another card's: one that was overtaken is asked again as long as it is wanted. */
export async function ask<T>(path: string, body: unknown, wanted: () => boolean): Promise<T | undefined> {
  for (let wait = kFirstWait; wanted(); wait = Math.min(2 * wait, kLongestWait)) {
    try { return await post<T>(path, body); } catch (error) {
      if (!(error instanceof ApiError && error.problem.exit_code === kOvertaken)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, wait * (.5 + Math.random())));
  }
  return undefined;
}
/** Uploads a file. A server that refuses it may close the connection before the browser has read why; one that answers afterwards is there. */
export async function put<T>(path: string, body: Blob): Promise<T> {
  try { return await (await send("PUT", path, body)).json(); } catch (error) {
    if (!(error instanceof ApiError) || error.problem.status !== 0) throw error;
    await get("/api/tables");
    throw new ApiError({ status: 413, title: "Not taken in", detail: "The file was not taken in", hint: "It is larger than this server allows, or there is no room for it. Name it when starting instead: 'tada serve <file>'." });
  }
}
export const remove = async (path: string): Promise<void> => { await send("DELETE", path); };
export const stop = async (): Promise<void> => { await send("POST", "/api/stop", {}); };

/** Follows a job until it ends. EventSource cannot send the token, so the stream is read by hand; a stream that breaks is taken up again. */
export async function follow(id: string, tell: (job: Job) => void, signal: AbortSignal): Promise<void> {
  let last = "";
  for (let tries = 0; !signal.aborted; ++tries) {
    if (tries > kMostTries) throw new ApiError(kNoAnswer);
    try {
      const more: Record<string, string> = last ? { "Last-Event-ID": last } : {};
      const response = await check(await fetch(`/api/jobs/${id}/events`, { headers: { ...headers(), ...more }, signal }));
      tries = 0;
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; ;) {
        const { value, done } = await reader.read();
        if (done) break;
        text += value;
        for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
          const lines = text.slice(0, end).split("\n");
          const of = (name: string) => lines.find((line) => line.startsWith(name + ": "))?.slice(name.length + 2) ?? "";
          if (!of("data")) continue;
          last = of("id");
          tell(JSON.parse(of("data")) as Job);
          if (of("event") === "end") return;
        }
      }
    } catch (error) {
      if (error instanceof ApiError && error.problem.status === 404) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Downloads a file of a job: a link cannot send the token, so it has a ticket for one use. */
export async function download(job: string, file: string): Promise<void> {
  const ticket = await post<{ url: string }>("/api/tickets", { job, file });
  const link = document.createElement("a");
  link.href = ticket.url;
  link.download = file.replace(/^.*\//, "");
  document.body.append(link);
  link.click();
  link.remove();
}
