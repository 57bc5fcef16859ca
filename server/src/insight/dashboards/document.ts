import {
  component,
  type DocumentProblem,
  limits,
  type StaticResult,
  StrictObject,
  Text,
  Type,
} from '../../foundation/kernel/index.ts'

/** Panels of one dashboard. The schema of an operation has it. */
const dashboardPanelsMax = 100
/** The columns of a dashboard's grid. The schema of an operation has it. */
const dashboardColumns = 12
/** The rows of a dashboard's grid. The schema of an operation has it. */
const dashboardRowsMax = 1_000
/** The rows of one panel of a dashboard. The schema of an operation has it. */
const dashboardPanelRowsMax = 50
/** The id of a panel. The schema of an operation has it. */
const dashboardPanelIdCharsMax = 64
/** The text of one panel. The schema of an operation has it. */
const dashboardTextCharsMax = 4_000
/** Signals that one panel names. The schema of an operation has it. */
const dashboardSignalsMax = 20
/**
 * Signals that one plot of a dashboard draws: as many as there are colours. The schema of an
 * operation has it.
 */
const dashboardPlotSignalsMax = 6
/** Assets that one panel names. The schema of an operation has it. */
const dashboardAssetsMax = 100

const columns = dashboardColumns

const Id = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: limits.nameCharsMax })

const shownSignal = StrictObject({
  asset: Id('The id of an asset.'),
  signal: Id('The id of one of its signals.'),
})

/** Which fields a type takes is checked by `findProblems`. */
const panelSchema = component(
  'DashboardPanel',
  {
    id: Type.String({
      description: 'Unique in the dashboard.',
      minLength: 1,
      maxLength: dashboardPanelIdCharsMax,
    }),
    type: Type.Enum(['value', 'plot', 'gauge', 'table', 'map', 'status', 'text']),
    title: Type.Optional(
      Text({
        description: 'In the place of the name of what is shown.',
        maxLength: limits.nameCharsMax,
      }),
    ),
    column: Type.Integer({
      description: 'Where it begins, from 0.',
      minimum: 0,
      maximum: columns - 1,
      rule: `must be a whole number from 0 to ${columns - 1}`,
    }),
    row: Type.Integer({
      description: 'Where it begins, from 0.',
      minimum: 0,
      maximum: dashboardRowsMax - 1,
      rule: `must be a whole number from 0 to ${dashboardRowsMax - 1}`,
    }),
    width: Type.Integer({
      description: 'In columns.',
      minimum: 1,
      maximum: columns,
      rule: `must be a whole number from 1 to ${columns}`,
    }),
    height: Type.Integer({
      description: 'In rows.',
      minimum: 1,
      maximum: dashboardPanelRowsMax,
      rule: `must be a whole number from 1 to ${dashboardPanelRowsMax}`,
    }),
    signals: Type.Optional(
      Type.Array(shownSignal, {
        description: 'One for `value` and `gauge`; several for `plot` and `table`.',
        maxItems: dashboardSignalsMax,
      }),
    ),
    assets: Type.Optional(
      Type.Array(Id('The id of an asset.'), {
        description: 'For `table`, `map` and `status`.',
        maxItems: dashboardAssetsMax,
      }),
    ),
    group: Type.Optional(
      Id('For `table`, `map` and `status`: the assets of a group and of those below it.'),
    ),
    signal_name: Type.Optional(
      Text({
        description: 'For a `table` of assets: the name of the signal whose values it has.',
        maxLength: limits.nameCharsMax,
      }),
    ),
    text: Type.Optional(
      Type.String({
        description: 'For `text`: plain text with line breaks.',
        maxLength: dashboardTextCharsMax,
      }),
    ),
    minimum: Type.Optional(
      Type.Number({ description: 'For `gauge`: its lower end; 0 without it.' }),
    ),
    maximum: Type.Optional(Type.Number({ description: 'Its upper end; 100 without it.' })),
    warning: Type.Optional(
      Type.Number({ description: 'For `gauge` and `value`: from here on it is a warning.' }),
    ),
    critical: Type.Optional(
      Type.Number({
        description: 'From here on it is critical; below it, if it is under `warning`.',
      }),
    ),
  },
  { description: 'A part of a dashboard, on a grid of 12 columns. None lies over another one.' },
)
export type Panel = StaticResult<typeof panelSchema>

/** A dashboard as people make it. */
export const documentSchema = component(
  'DashboardDocument',
  {
    name: Text({ minLength: 1, maxLength: limits.nameCharsMax }),
    description: Type.Optional(Text({ maxLength: limits.descriptionCharsMax })),
    period: Type.Optional(
      Type.Enum(['1h', '24h', '7d', '30d', '365d'], {
        description: 'What its plots show; `24h` without it.',
      }),
    ),
    panels: Type.Array(panelSchema, { maxItems: dashboardPanelsMax }),
  },
  { description: 'A dashboard as it is exported and imported.' },
)
export type DashboardDocument = StaticResult<typeof documentSchema>

/** The content of a type; of `sources` it needs one. */
type Shape = {
  readonly sources: readonly ('signals' | 'assets' | 'group' | 'text')[]
  readonly signalsMax?: number
  readonly more?: readonly ('minimum' | 'maximum' | 'warning' | 'critical' | 'signal_name')[]
}

const shapes: Readonly<Record<Panel['type'], Shape>> = {
  value: { sources: ['signals'], signalsMax: 1, more: ['warning', 'critical'] },
  gauge: {
    sources: ['signals'],
    signalsMax: 1,
    more: ['minimum', 'maximum', 'warning', 'critical'],
  },
  plot: { sources: ['signals'], signalsMax: dashboardPlotSignalsMax },
  table: { sources: ['signals', 'assets', 'group'], more: ['signal_name'] },
  map: { sources: ['assets', 'group'] },
  status: { sources: ['assets', 'group'] },
  text: { sources: ['text'] },
}

const common = ['id', 'type', 'title', 'column', 'row', 'width', 'height']

/** All that is wrong with panels that their schema lets pass. */
export function findProblems(panels: readonly Panel[]): DocumentProblem[] {
  const seen = new Set<string>()
  return panels.flatMap((one, at) => {
    const problems = [...panelProblems(one), ...placeProblems(one, panels.slice(0, at))]
    if (seen.has(one.id)) problems.push(['id', 'is the id of another panel'])
    seen.add(one.id)
    return problems.map(([field, detail]) => ({
      pointer: `/panels/${at}/${field}`,
      detail: `panels[${at}].${field} ${detail}`,
    }))
  })
}

type Problems = (readonly [field: string, detail: string])[]

function panelProblems(panel: Panel): Problems {
  const { type, minimum = 0, maximum = 100, signals } = panel
  const { sources, signalsMax = dashboardSignalsMax, more = [] } = shapes[type]
  const known: readonly string[] = [...common, ...sources, ...more]
  const problems: Problems = Object.keys(panel)
    .filter((name) => !known.includes(name))
    .map((name) => [name, `is no field of a panel of type ${type}`])
  const given = sources.filter((name) => panel[name] !== undefined)
  const [first = 'type'] = sources
  if (given.length === 0) problems.push([first, `is needed: one of ${sources.join(', ')}`])
  for (const other of given.slice(1)) problems.push([other, `excludes ${given[0]}`])
  if (signals !== undefined && (signals.length === 0 || signals.length > signalsMax)) {
    problems.push(['signals', `must have 1 to ${signalsMax} items`])
  }
  if (panel.text !== undefined && isNoText(panel.text)) {
    problems.push(['text', 'holds characters that no text has'])
  }
  if (type === 'gauge' && minimum >= maximum) {
    problems.push(['maximum', 'must be greater than minimum'])
  }
  return problems
}

function isNoText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

function placeProblems(panel: Panel, before: readonly Panel[]): Problems {
  if (panel.column + panel.width > columns) {
    return [['width', `leads past the last of ${columns} columns`]]
  }
  const other = before.find((one) => overlaps(one, panel))
  return other === undefined ? [] : [['row', `lies over the panel ${other.id}`]]
}

function overlaps(one: Panel, other: Panel): boolean {
  return (
    one.column < other.column + other.width &&
    other.column < one.column + one.width &&
    one.row < other.row + other.height &&
    other.row < one.row + one.height
  )
}
