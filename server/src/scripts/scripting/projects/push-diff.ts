import { isDeepStrictEqual } from 'node:util'
import type { Fields } from '../../../foundation/kernel/index.ts'
import type { ScriptText } from '../registry/script.ts'
import type { Pushed, Script, ScriptKey } from '../schema.ts'

export type Wanted = {
  readonly scripts: readonly ScriptText[]
  readonly project: Fields | null
  /** Handlers that services supplied: they stay until somebody edits them. */
  readonly given: ReadonlyMap<string, readonly string[]>
  /** Scripts stay that the folder does not have. */
  readonly keep: boolean
}

export type ContentDiff = {
  readonly pushed: Omit<Pushed, 'services' | 'notes' | 'staticFiles'>
  readonly written: readonly ScriptText[]
}

/** Compares a folder with what a solution has now. */
export function compare(
  before: { readonly scripts: readonly Script[]; readonly project: Fields | null },
  { scripts, project, given, keep }: Wanted,
): ContentDiff {
  const known = new Map(before.scripts.map((script) => [scriptKey(script), script]))
  const wanted = new Set(scripts.map(scriptKey))
  const added = scripts.filter((script) => !known.has(scriptKey(script)))
  const isSame = (script: ScriptText) => {
    const { source, file, firstLine } = known.get(scriptKey(script)) ?? {}
    return source === script.source && file === script.file && firstLine === script.firstLine
  }
  const changed = scripts.filter((script) => known.has(scriptKey(script)) && !isSame(script))
  const gone = before.scripts
    .filter((script) => {
      const stays = script.kind === 'handler' && given.get(script.name)?.includes(script.source)
      return !wanted.has(scriptKey(script)) && stays !== true
    })
    .map(bare)
  return {
    pushed: {
      added: added.map(bare),
      changed: changed.map(bare),
      removed: keep ? [] : gone,
      unchanged: scripts.filter(isSame).map(bare),
      ...(keep ? { kept: gone } : {}),
      ...(isDeepStrictEqual(before.project, project) ? {} : { project: 'changed' }),
    },
    written: [...added, ...changed],
  }
}

function scriptKey({ kind, name }: ScriptKey): string {
  return `${kind} ${name}`
}

function bare({ kind, name }: ScriptKey): ScriptKey {
  return { kind, name }
}
