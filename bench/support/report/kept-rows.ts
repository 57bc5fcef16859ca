import {
  type EngineKind,
  type Goals,
  type Report,
  type Row,
  type Run,
  toGoalRow,
} from './report.ts'

/** A row of the page: what was reached of a goal, and when and how it was measured. */
export type KeptRow = Row & {
  readonly bench: string
  readonly engine?: EngineKind
  readonly run?: Run
}

/** The text of a goal that no run has a row of; such a row goes with the first one. */
const unmeasured = 'not measured yet'

/** The goals of all benches by name, in the order of the page. */
export type GoalsOfBenches = ReadonlyMap<string, Goals>

export function toKeptRows({ rows, ...others }: Report): KeptRow[] {
  return rows.map((row) => ({ ...others, ...row }))
}

/**
 * Adds new rows to those that are kept. Each goal keeps one row an engine: the newest that has a
 * figure. Words and bounds are those of the scripts: what no script has any longer goes, and what
 * nobody measured has a row that says so.
 */
export function mergeRows(
  kept: readonly KeptRow[],
  added: readonly KeptRow[],
  benches: GoalsOfBenches,
): KeptRow[] {
  const byKey = new Map<string, KeptRow>()
  for (const row of [...kept, ...added]) {
    const before = byKey.get(rowKey(row))
    if (row.figure !== undefined || before?.figure === undefined) byKey.set(rowKey(row), row)
  }
  const rows = [...byKey.values()]
    .filter(({ missing }) => missing !== unmeasured)
    .flatMap((row) => withGoal(row, benches))
  const place = rankRows(benches)
  return [...rows, ...listUnmeasured(rows, benches)].toSorted((one, other) =>
    place(one) < place(other) ? -1 : 1,
  )
}

function listUnmeasured(rows: readonly KeptRow[], benches: GoalsOfBenches): KeptRow[] {
  return [...benches].flatMap(([bench, goals]) =>
    Object.entries(goals)
      .filter(([key]) => !rows.some((row) => row.bench === bench && row.goal === key))
      .map((goal) => ({ bench, ...toGoalRow(goal, undefined), missing: unmeasured })),
  )
}

const rowKey = ({ bench, goal, engine }: KeptRow) => `${bench}\n${goal}\n${engine ?? ''}`

/** The row with its goal as the script has it now; none if the script has no such goal. */
function withGoal(row: KeptRow, benches: GoalsOfBenches): KeptRow[] {
  const goal = benches.get(row.bench)?.[row.goal]
  if (goal === undefined) return []
  const { atLeast, atMost, ...measured } = row
  return [{ ...measured, ...toGoalRow([row.goal, goal], row.engine) }]
}

/** The order of the benches, then of their engines, then of their goals. */
function rankRows(benches: GoalsOfBenches): (row: KeptRow) => string {
  const names = [...benches.keys()]
  const digits = (number: number) => String(number).padStart(3, '0')
  return ({ bench, goal, engine }) => {
    const goals = Object.keys(benches.get(bench) ?? {})
    return `${digits(names.indexOf(bench))} ${engine ?? ''} ${digits(goals.indexOf(goal))}`
  }
}
