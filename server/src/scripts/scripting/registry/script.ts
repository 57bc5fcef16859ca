import { invalidField, limits, Type } from '../../../foundation/kernel/index.ts'
import type { Script, ScriptKey, ScriptKind } from '../schema.ts'

export type ScriptText = Omit<Script, 'createdAt' | 'updatedAt'>

/** The number of retries of a failed delivery, and the seconds between them. */
export type RetryPolicy = { readonly retries: number; readonly seconds: number }

/** The kind of which a name is the shape. @throws Fault invalid_argument where it is of none. */
export function kindOfName(name: string): ScriptKind {
  const kind = (['endpoint', 'plain', 'handler', 'module'] as const).find((one) => {
    return name.length <= limits.scriptNameCharsMax && shapes[one].test(name)
  })
  if (kind !== undefined) return kind
  throw invalidField(
    'name',
    'must be <service>_<event>, <METHOD> /path, <file>.lua or a.b of a module',
  )
}

/** `WEBSOCKET` is none of HTTP's: an endpoint of it takes connections that stay. */
const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'WEBSOCKET']
const parameter = '\\{[A-Za-z_]\\w*\\}'
const plainPart = '[!"$-.0->@-z|~]*'
const rest = '(?:/\\{[A-Za-z_]\\w*\\*\\})?'

/** Any name of a file system that is not hidden and leads nowhere else. */
const filePart = '[^./\\\\\\p{Cc}][^/\\\\\\p{Cc}]*'
const filePath = new RegExp(`^${filePart}(?:/${filePart})*$`, 'u')

const shapes: Readonly<Record<ScriptKind, RegExp>> = {
  endpoint: new RegExp(
    `^(?:${methods.join('|')}) (?=/)(?:/(?:${parameter}|${plainPart}))*${rest}$`,
  ),
  plain: new RegExp(`^(?:${filePart}/)*${filePart}\\.lua$`, 'u'),
  handler: /^[a-zA-Z0-9_]+_[a-zA-Z0-9]+$/,
  module: /^[\w-]+(?:\.[\w-]+)*$/,
}

/** True for a name that `require` takes. */
export function isModuleName(name: string): boolean {
  return shapes.module.test(name)
}

/** @throws Fault invalid_argument where a script of the kind cannot be called so. */
export function checkName({ kind, name }: ScriptKey): void {
  if (name.length <= limits.scriptNameCharsMax && shapes[kind].test(name)) return
  const words = {
    endpoint: '<METHOD> /path',
    plain: 'the path of a .lua file',
    handler: '<service>_<event>',
    module: 'names with dots between them, as require takes them',
  }
  throw invalidField('name', `of a ${kind} must be ${words[kind]}`)
}

/**
 * Returns whether a text can be the name of a file of scripts: never one that leaves its folder.
 */
export function isLuaFile(file: string): boolean {
  return file.length <= limits.scriptNameCharsMax && shapes.plain.test(file)
}

/** Returns whether a text is a path within its folder: no part is hidden, or leads up. */
export function isFilePath(path: string): boolean {
  return path.length <= limits.scriptNameCharsMax && filePath.test(path)
}

/** The path of a script for which its author gave none. */
export function defaultPath({ kind, name }: ScriptKey): string {
  if (kind === 'plain') return name
  if (kind === 'module') return `modules/${name.replaceAll('.', '/')}.lua`
  if (kind === 'handler') return `${name}.lua`
  return `endpoints/${name.replaceAll(/[^a-zA-Z0-9]+/g, '_')}.lua`
}

/** The rule that a source breaks; undefined if it breaks none. */
export function refuseSource(source: string): string | undefined {
  if (Buffer.byteLength(source) > limits.scriptSourceBytesMax) {
    return `has more than ${limits.scriptSourceBytesMax} bytes`
  }
  if (source.includes('\0')) return 'must not hold a NUL'
  return source.isWellFormed() ? undefined : 'must be well-formed Unicode'
}

/** The text of a script or of another file. */
export const sourceSchema = Type.Refine(
  Type.String({ missing: 'must be a string' }),
  (source) => refuseSource(source) === undefined,
  (source) => refuseSource(source) ?? '',
)
