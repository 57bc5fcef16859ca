import type { Output } from '../output/output.ts'
import type { Colours } from './source-lines.ts'

/** The colours of an output: on a terminal alone. */
export function makeColours(out: Output): Colours {
  return {
    red: (text) => out.paint('red', text),
    green: (text) => out.paint('green', text),
    yellow: (text) => out.paint('yellow', text),
    dim: (text) => out.paint('dim', text),
    bold: (text) => out.paint('bold', text),
  }
}
