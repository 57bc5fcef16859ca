import { type DataType, dataTypes, type Unit } from '../../server/src/insight/assets/index.ts'

const head = `# Data types and units

What signals may measure, by the names that devices and insight modules in the field use. A data
type implies its primitive type where none is given: in a \`config_io\`, and for an outlet of a
function. Names outside this list are accepted; a \`config_io\` with one gets a complaint. An alias
is read as the name beside it, and kept as it was given. \`npm run generate\` generates this page
from \`server/src/insight/assets/units/data-types.ts\`; GraphQL has the same as \`dataTypes\`.

A value in a unit is \`(value + shift) × factor\` in the unit whose factor is 1, which is one of SI
where there is one. Units without a factor are not converted. Apparent, reactive and real power are
not converted into one another. A standard or normal flow is converted as the volume that it names.
`

/** The page of the catalogue. */
export function dataTypesPage(): string {
  return [head, ...dataTypes.map(section)].join('\n')
}

function section({ id, name, primitiveType, aliases, units }: DataType): string {
  const also = aliases.length === 0 ? '' : ` Also \`${aliases.join('`, `')}\`.`
  const lines = [`## ${id}`, '', `${name}, \`${primitiveType}\`.${also}`, '']
  const listed =
    units.length > 100 ? ['Units, not converted:', '', ...formatCodes(units)] : table(units)
  return [...lines, ...(units.length === 0 ? [] : [...listed, ''])].join('\n')
}

function table(units: readonly Unit[]): string[] {
  const rows = units.map(({ id, abbreviation, factor, shift, aliases }) => {
    const cells = [`\`${id}\``, abbreviation, factor ?? '', shift || '', aliases.join(', ')]
    return `| ${cells.join(' | ')} |`
  })
  return ['| unit | sign | factor | shift | aliases |', '|---|---|---|---|---|', ...rows]
}

function formatCodes(units: readonly Unit[]): string[] {
  const perLine = 20
  const codes = units.map(({ id }) => id)
  return codes.flatMap((_, at) =>
    at % perLine === 0 ? [codes.slice(at, at + perLine).join(', ')] : [],
  )
}
