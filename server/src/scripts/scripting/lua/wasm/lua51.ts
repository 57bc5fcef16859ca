import { assemble } from './assemble.ts'
import { ByteReader, unsigned } from './bytes.ts'
import { languagePatches } from './language-patches.ts'
import { libraryPatches, type Patch } from './library-patches.ts'
import { findSection, readSections, sectionIds, writeSections } from './sections.ts'

const functionKind = 0

export const patches: readonly Patch[] = [libraryPatches, languagePatches].flat()

/**
 * Lua 5.4's WebAssembly with the semantics of Lua 5.1 where scripts depend on them. Throws unless
 * each patch finds its instructions exactly once.
 */
export function asLua51(original: Uint8Array): Uint8Array {
  const sections = readSections(original)
  const imported = importedFunctions(findSection(sections, 'import').body)
  const exported = exportedFunctions(findSection(sections, 'export').body)
  return writeSections(
    sections.map(({ id, body }) => ({
      id,
      body: id === sectionIds.code ? patchCode(body, imported, exported) : body,
    })),
  )
}

/** The number of imported functions: they come first among the indices. */
function importedFunctions(body: Uint8Array): number {
  return new ByteReader(body).unsigned()
}

function exportedFunctions(body: Uint8Array): ReadonlyMap<string, number> {
  const reader = new ByteReader(body)
  const functions = new Map<string, number>()
  for (let left = reader.unsigned(); left > 0; left -= 1) {
    const length = reader.unsigned()
    const start = reader.at
    reader.skip(length)
    const name = Buffer.from(body.subarray(start, reader.at)).toString()
    const kind = reader.byte()
    const index = reader.unsigned()
    if (kind === functionKind) functions.set(name, index)
  }
  return functions
}

function patchCode(
  code: Uint8Array,
  imported: number,
  exported: ReadonlyMap<string, number>,
): Uint8Array {
  const reader = new ByteReader(code)
  const count = reader.unsigned()
  const parts: Uint8Array[] = [Uint8Array.from(unsigned(count))]
  for (let index = imported; index < imported + count; index += 1) {
    const length = reader.unsigned()
    const start = reader.at
    reader.skip(length)
    const own = patches.filter(({ of }) => (exported.get(of) ?? Number(of)) === index)
    let body = Buffer.from(code.subarray(start, reader.at))
    for (const patch of own) body = applyPatch(body, patch, exported)
    parts.push(Uint8Array.from(unsigned(body.length)), body)
  }
  return Buffer.concat(parts)
}

function applyPatch(
  body: Buffer<ArrayBuffer>,
  patch: Patch,
  exported: ReadonlyMap<string, number>,
): Buffer<ArrayBuffer> {
  const from = Buffer.from(assemble(patch.from, exported))
  const to = Buffer.from(assemble(patch.to, exported))
  const parts: Buffer[] = []
  let rest: Buffer = body
  for (let at = rest.indexOf(from); at >= 0; at = rest.indexOf(from)) {
    parts.push(rest.subarray(0, at), to)
    rest = rest.subarray(at + from.length)
  }
  if (parts.length !== 2 * (patch.times ?? 1)) throw new Error(`cannot patch: ${patch.why}`)
  return Buffer.concat([...parts, rest])
}
