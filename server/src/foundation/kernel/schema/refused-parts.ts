import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { limits } from '../limits.ts'
import { isJsonObject } from '../text/json.ts'
import { type Node, readValueSchema, toNode } from './node.ts'
import { formatErrors } from './sentence.ts'

/** The treatment of fields that their schema refuses. */
type Leniency = {
  /** Gets a sentence for each field that is left out. */
  readonly note: (sentence: string) => void
  /** Fields of the whole value that are left for the check: without them something is open. */
  readonly guards?: readonly string[]
}

/** The sentences about a value, each once. After the last one, what is refused is left out. */
class Notes {
  readonly #note: Leniency['note']
  readonly #said = new Set<string>()

  constructor(note: Leniency['note']) {
    this.#note = note
  }

  areFull(): boolean {
    return this.#said.size > limits.refusedFieldsNotedMax
  }

  add(write: () => string): void {
    if (this.areFull()) return
    const isLast = this.#said.size === limits.refusedFieldsNotedMax
    const sentence = isLast ? 'further fields are kept and have no effect' : write()
    if (!this.#said.has(sentence)) this.#note(sentence)
    this.#said.add(sentence)
  }
}

/**
 * Returns a value without the fields of it that its schema refuses, be they out of range or of
 * another type. Fields that it does not have are left for `withoutUnknown`.
 */
export function withoutRefused(
  schema: TSchema,
  value: unknown,
  { note, guards = [] }: Leniency,
): unknown {
  if (!isJsonObject(value) || Check(schema, value)) return value
  const { properties = {} } = toNode(schema)
  const notes = new Notes(note)
  const fields = Object.entries(value).flatMap(([name, one]) => {
    const node = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (node === undefined || guards.includes(name)) return [[name, one]]
    return taken(node, one, name, notes).map((inner) => [name, inner])
  })
  return Object.fromEntries(fields)
}

/** Returns a list with the value as far as the schema takes it; an empty one if it takes none. */
function taken(node: Node, value: unknown, path: string, notes: Notes): readonly unknown[] {
  const schema = node as TSchema
  if (Check(schema, value)) return [value]
  if (notes.areFull()) return []
  const inner = takeInner(node, value, path, notes)
  if (inner !== undefined && hasOnlyUnknown(node, inner)) return [inner]
  notes.add(() => `${sentenceFor(schema, inner ?? value, path)}: it is kept and has no effect`)
  return []
}

/** The parts of an object or a list that are taken; undefined for another value. */
function takeInner(node: Node, value: unknown, path: string, notes: Notes): unknown {
  const of = node.anyOf?.find(({ type }) => type === 'object' || type === 'array') ?? node
  if (Array.isArray(value)) {
    const { items } = of
    if (items === undefined) return undefined
    return value.flatMap((one, at) => taken(items, one, `${path}[${at}]`, notes))
  }
  if (!isJsonObject(value)) return undefined
  const { properties = {} } = of
  const fields = Object.entries(value).flatMap(([name, one]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : readValueSchema(of)
    if (field === undefined) return [[name, one]]
    return taken(field, one, `${path}.${name}`, notes).map((inner) => [name, inner])
  })
  return Object.fromEntries(fields)
}

/** True if nothing is wrong with a value but fields that its schema does not have. */
function hasOnlyUnknown(node: Node, value: unknown): boolean {
  const of = node.anyOf?.find(({ type }) => type === 'object') ?? node
  if (!isJsonObject(value)) return Check(node as TSchema, value)
  const { properties = {}, additionalProperties } = of
  const isClosed = additionalProperties === false && readValueSchema(of) === undefined
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))
  return Check(node as TSchema, isClosed ? Object.fromEntries(known) : value)
}

function sentenceFor(schema: TSchema, value: unknown, path: string): string {
  const wording = {
    name: path,
    path,
    objectRule: 'must be an object',
    firstIndex: 0,
    unknownField: (field: string) => `there is no field ${JSON.stringify(field)}`,
  } as const
  return formatErrors(toNode(schema), Errors(schema, value), wording)
}
