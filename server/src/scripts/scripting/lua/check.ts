import { limits } from '../../../foundation/kernel/thread/index.ts'
import type { Chunk, SyntaxProblem } from '../registry/program.ts'
import { chunkProblem, mustLoadChunk, parseProblem } from './chunks.ts'
import { endOfThrown } from './failures.ts'
import { type Allowance, allow } from './meter.ts'
import { newInstance, type OpenOptions } from './open.ts'
import { luaStatus } from './wasm/api.ts'

/** The first problem of a source. It is compiled in a Lua of its own, which runs nothing. */
export function checkChunk(options: OpenOptions, chunk: Chunk): SyntaxProblem | undefined {
  const refusal = chunkProblem(chunk)
  if (refusal !== undefined) return refusal
  const instance = newInstance(options, limits.scriptMemoryBytes)
  try {
    return instance.meter.run(allowCheck(instance.meter.nowMs), () => {
      const status = instance.protect((state) => {
        mustLoadChunk(instance, state, bare(chunk))
        return 0
      })
      if (status === luaStatus.ok) return undefined
      return parseProblem(chunk, instance.viewString(instance.main, -1).toString('utf8'))
    })
  } catch (thrown) {
    const end = endOfThrown(thrown, options.onFault)
    const message = end.kind === 'returned' ? '' : end.error.error
    return { file: chunk.name, line: 1, message }
  }
}

/** As its author wrote it: problems name the author's own text. */
function bare(chunk: Chunk): Chunk {
  const { role } = chunk
  if (role.kind !== 'handler') return chunk
  const { defines, parameters } = role
  return { ...chunk, role: { kind: 'handler', defines, parameters } }
}

function allowCheck(nowMs: number): Allowance {
  return allow(undefined, { cpuMsMax: limits.scriptCpuMs }, nowMs, limits.scriptWallMs)
}
