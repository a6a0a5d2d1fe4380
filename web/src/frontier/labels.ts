// Places for labels beside their marks: where a label would cover a mark, a line or another label, it goes elsewhere, or nowhere.

export interface Box { x1: number; y1: number; x2: number; y2: number }
export interface Placed { x: number; y: number; anchor: "start" | "end" }

const kHeight = 16, kPerLetter = 6.3;
export const around = (x: number, y: number, r: number): Box => ({ x1: x - r, y1: y - r, x2: x + r, y2: y + r });
const overlap = (a: Box, b: Box): boolean => a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;
const textBox = (at: Placed, letters: number): Box => { const w = letters * kPerLetter; return { x1: at.anchor === "start" ? at.x - 4 : at.x - w, x2: at.anchor === "start" ? at.x + w : at.x + 4, y1: at.y - kHeight + 3, y2: at.y + 5 }; };

/** What is taken already, inside the frame that labels must stay in. */
export class Room {
  constructor(private readonly frame: Box, private readonly taken: Box[]) {}
  /** Takes the first of these places that is free. */
  place(letters: number, places: Placed[]): Placed | null {
    for (const at of places) {
      const box = textBox(at, letters);
      if (box.x1 < this.frame.x1 || box.x2 > this.frame.x2 || box.y1 < this.frame.y1 || box.y2 > this.frame.y2 || this.taken.some((other) => overlap(box, other))) continue;
      this.taken.push(box);
      return at;
    }
    return null;
  }
}
/** Places around a mark, the nearest first. */
export const beside = (x: number, y: number, far = 14): Placed[] => [[far, 4], [far, -12], [far, 22], [far + 20, -24], [far + 20, 36], [-far, -12], [-far, 22]].map(([dx, dy]) => ({ x: x + dx!, y: y + dy!, anchor: dx! > 0 ? "start" : "end" }));
