import { wholeNumber } from '../input.ts'
import type { OptionWords } from '../operation.ts'
import { differenceLines, type Version, versionRows } from '../output/differences.ts'
import { columns } from '../output/output.ts'
import { rowsOption } from './options.ts'

/** The option that names what has versions: it may be given by its value alone. */
type Named = Readonly<Record<string, OptionWords>>
type LinesOf<Difference> = (difference: Difference) => readonly string[]

const firstOperand = (named: Named) => Object.keys(named)[0] ?? ''

/** The words of a command that lists versions. */
export function versionsWords<Difference>(named: Named, linesOf: LinesOf<Difference>) {
  type Page = { readonly versions: readonly Version<Difference>[] }
  return {
    options: {
      ...named,
      rows: rowsOption,
      offset: { meaning: 'The number of versions to pass over.', default: '0' },
    },
    data: ({ versions }: Page) => versions,
    lines: ({ versions }: Page) => columns(versionRows(versions, linesOf)),
  }
}

/** The words of a command that compares a version with another. */
export function compareWords<Difference>(named: Named, linesOf: LinesOf<Difference>) {
  type Compared = { readonly difference: Difference | null }
  return {
    options: {
      ...named,
      to: {
        as: 'version',
        read: (option: string, text: string) => `${wholeNumber(option, text)}`,
        meaning: 'The version to compare.',
      },
      from: {
        as: 'since',
        meaning: 'The version with which it is compared. Default: the one before.',
      },
    },
    operand: firstOperand(named),
    data: ({ difference }: Compared) => difference,
    lines: ({ difference }: Compared) => differenceLines(difference, linesOf),
  }
}

/** The options of a command that restores a version. */
export const restoreOptions = {
  to: { as: 'version', meaning: 'The version to go back to.' },
  current: { meaning: 'The newest version that was seen; refused if there is a newer one.' },
} as const
