import { faultsOfHistory, type HistoryInfo, inletsMax, outletsMax } from '../protocol.ts'
import type {
  ConstantDeclaration,
  Constants,
  InletDeclaration,
  Inlets,
  Outlets,
} from './declarations.ts'

/** An object keeps the order of such keys only; whole numbers would be sorted to the front. */
const keyPattern = /^[A-Za-z_][\w.-]*$/

type Declared = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly constants?: Constants
  readonly constants_multiple_maximum?: number
  readonly inlets?: Inlets
  readonly outlets?: Outlets
  readonly history?: HistoryInfo
}

/** Every fault of a function's declarations, as sentences; none when it can be served. */
export function faultsOfFunction(declared: Declared): string[] {
  const { constants = {}, inlets = {}, outlets = {} } = declared
  return [
    ...faultsOfWords(declared),
    ...faultsOfKeys({ constant: constants, inlet: inlets, outlet: outlets }),
    ...Object.entries(constants).flatMap(([name, it]) => faultsOfConstant(name, it)),
    ...faultsOfCount('inlet', Object.keys(inlets).length, inletsMax),
    ...Object.entries(inlets).flatMap(([tag, it]) => faultsOfInlet(tag, it)),
    ...faultsOfCount('outlet', Object.keys(outlets).length, outletsMax),
    ...faultsOfProblems(outlets),
    ...faultsOfMultiple(declared.constants_multiple_maximum),
    ...faultsOfHistory(declared.history, Object.keys(constants)),
  ]
}

function faultsOfWords(declared: Declared): string[] {
  const faults: string[] = []
  if (declared.id === '') faults.push('id is empty')
  if (declared.name === '') faults.push('name is empty')
  return faults
}

function faultsOfKeys(parts: { readonly [part: string]: object }): string[] {
  return Object.entries(parts).flatMap(([part, declared]) =>
    Object.keys(declared)
      .filter((key) => !keyPattern.test(key))
      .map((key) => `${part} "${key}" must start with a letter and hold letters, digits, _ . -`),
  )
}

function faultsOfCount(part: string, count: number, max: number): string[] {
  return count > max ? [`${count} ${part}s; at most ${max} are allowed`] : []
}

function faultsOfInlet(tag: string, inlet: InletDeclaration): string[] {
  const faults: string[] = []
  if (inlet.name === '') faults.push(`inlet "${tag}" has an empty name`)
  const kinds = [inlet.primitive_type, inlet.data_type?.[0], inlet.data_unit?.[0]]
  if (kinds.every((kind) => kind === undefined)) {
    faults.push(`inlet "${tag}" names none of primitive_type, data_type, data_unit`)
  }
  return faults
}

function faultsOfProblems(outlets: Outlets): string[] {
  const takers = Object.entries(outlets).filter(([, outlet]) => outlet.problems === true)
  const faults = takers.length > 1 ? ['more than one outlet takes problems'] : []
  const numeric = takers.filter(
    ([, outlet]) => outlet.primitive_type !== undefined && outlet.primitive_type !== 'STRING',
  )
  return [...faults, ...numeric.map(([name]) => `outlet "${name}" takes problems; they are STRING`)]
}

function faultsOfMultiple(maximum: number | undefined): string[] {
  if (maximum === undefined || (Number.isInteger(maximum) && maximum >= 1)) return []
  return ['constants_multiple_maximum must be a whole number from 1']
}

function faultsOfConstant(name: string, constant: ConstantDeclaration): string[] {
  const faults: string[] = []
  const { enum: allowed, enum_presented: presented } = constant
  if (allowed !== undefined && allowed.length === 0) faults.push('enum is empty')
  if (presented !== undefined && presented.length !== allowed?.length) {
    faults.push(`enum_presented has ${presented.length} items, enum ${allowed?.length ?? 0}`)
  }
  for (const value of [constant.default, ...(allowed ?? [])]) {
    const fault = value === undefined ? undefined : faultOfValue(constant, value)
    if (fault !== undefined) faults.push(fault)
  }
  faults.push(...faultsOfRange(constant))
  return faults.map((fault) => `constant "${name}": ${fault}`)
}

function faultsOfRange(constant: ConstantDeclaration): string[] {
  if (constant.type !== 'number') return []
  const { minimum = -Infinity, maximum = Infinity } = constant
  return minimum > maximum ? ['minimum is larger than maximum'] : []
}

/** Why a value breaks the declaration of its constant, or undefined where it does not. */
export function faultOfValue(constant: ConstantDeclaration, value: unknown): string | undefined {
  const shown = JSON.stringify(value)
  if (typeof value !== constant.type) return `${shown} is not a ${constant.type}`
  if (constant.enum !== undefined && !(constant.enum as readonly unknown[]).includes(value)) {
    return `${shown} is not one of ${JSON.stringify(constant.enum)}`
  }
  if (constant.type !== 'number') return undefined
  const number = Number(value)
  if (!Number.isFinite(number)) return `${shown} is not a finite number`
  if (number < (constant.minimum ?? -Infinity)) return `${shown} is below ${constant.minimum}`
  if (number > (constant.maximum ?? Infinity)) return `${shown} is above ${constant.maximum}`
  return undefined
}
