import type { ConstantInfo, Insight } from '@millrace/insight-sdk/protocol'
import { builtinsByGroup } from '../../server/src/insight/pipelines/index.ts'

const head = `# Built-in functions

The functions of the module \`builtin\`, which is always there and calls nobody. They are linked as
those of any module ([pipelines](pipelines.md)); \`functions(moduleId: "builtin", groupId: …)\`
lists them, all or those of a group. \`npm run generate\` generates this page from
\`server/src/insight/pipelines/builtin/\`.

* A function with several inlets has a value at each time at which one of them has a new one, with
  the last values of the others. One that exists for several numbers of signals has the number in
  its id.
* A result that is no finite number is left out, with a line in the asset's log.
* **Time is that of the values**, not of the clock: a duration is looked at when a value arrives.
  What has to happen without one is a time-out of the signal.
* **A function with a state** (marked below) takes values in the order of their times. One that is
  not newer than what it took changes nothing and has no result. After a stamp that is further in
  the future than \`clockLeadMsMax\` it begins anew, and so it does when its constants change. What
  it keeps is stored in the transaction that stores its results: no kill loses or doubles it.
`

/** The page of the functions that need no module. */
export function builtInFunctionsPage(): string {
  const sections = builtinsByGroup.map(({ group, functions }) => {
    const families = [...Map.groupBy(functions, ({ id }) => id.replace(/_\d$/, '')).values()]
    const title = `${group[0]?.toUpperCase()}${group.slice(1)}`
    const all = families.flatMap((family) => formatSection(family))
    return [`## ${title}`, '', `Group \`${group}\`.`, '', ...all].join('\n')
  })
  return [head, ...sections].join('\n')
}

type Listed = (typeof builtinsByGroup)[number]['functions'][number]

function formatSection(family: readonly Listed[]): string[] {
  const [first, last] = [family[0], family.at(-1)]
  if (first === undefined || last === undefined) return []
  const ids = first === last ? `\`${first.id}\`` : `\`${first.id}\` to \`${last.id}\``
  const { name, description, type, constants } = last
  const facts = [
    `${ids}, a ${type}${last.state === 'never' ? '' : `; it keeps a state${stateWhen(last)}`}.`,
    description,
  ]
  const ports = [`In: ${formatInlets(last)}. Out: ${formatOutlets(last)}.`]
  return [
    `### ${first === last ? name : name.replace(/ \S+ signals$/, ' several signals')}`,
    '',
    ...facts,
    ...ports,
    '',
    ...(constants.length === 0 ? [] : [...formatConstants(constants), '']),
  ]
}

function stateWhen({ state }: Listed): string {
  return state === 'always' ? '' : ' if `seconds` is not 0'
}

function formatInlets({ inlets }: Insight): string {
  return inlets
    .map(({ name, primitive_type: type }) => `\`${name}\` (${type ?? 'any type'})`)
    .join(', ')
}

function formatOutlets({ outlets, type }: Insight): string {
  return outlets
    .map(({ name = '', primitive_type: kind, data_unit: units }) => {
      const unit = units === undefined ? '' : `, ${units.join(', ')}`
      return type === 'rule' ? `\`${name}\`` : `\`${name}\` (${kind}${unit})`
    })
    .join(', ')
}

function formatConstants(constants: readonly ConstantInfo[]): string[] {
  const rows = constants.map((constant) => {
    const { name, description = '', default: value } = constant
    const shown = value === undefined ? '' : `\`${String(value)}\``
    return `| \`${name}\` | ${formatKind(constant)} | ${shown} | ${description} |`
  })
  return ['| constant | type | default | meaning |', '|---|---|---|---|', ...rows]
}

const shownMax = 20

function formatKind({ type, multiple, minimum, maximum, enum: values }: ConstantInfo): string {
  if (values !== undefined && values.length > shownMax) return 'a [unit](data-types.md)'
  if (values !== undefined) return values.map((one) => `\`${String(one)}\``).join(', ')
  const bounds = [
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined ? [] : [`to ${maximum}`]),
  ].join(' ')
  const kind = multiple === true ? `list of ${type}s` : type
  return bounds === '' ? kind : `${kind} ${bounds}`
}
