import { readdirSync, readFileSync } from 'node:fs'

/**
 * A reporter of node:test. It writes a line for each test that failed, `failed <file>`, and for
 * each test that no suite contains, `took <ms> <cpu ms> <file>`: the time that passed, and the time
 * of the processor that this process and its descendants used meanwhile. The first line counts the
 * start of the process, in which it loads all of its files.
 */
export default async function* fileReport(events) {
  let cpuMs
  for await (const { type, data } of events) {
    if (data.file === undefined) continue
    if (type === 'test:fail') yield `failed ${data.file}\n`
    if (type === 'test:dequeue' && cpuMs === undefined) {
      cpuMs = treeCpuMs()
      yield `took 0 ${Math.round(cpuMs)} (starts of processes)\n`
    }
    if (type !== 'test:complete' || data.nesting > 0) continue
    const nowMs = treeCpuMs()
    const usedMs = Math.max(0, nowMs - cpuMs)
    cpuMs = nowMs
    yield `took ${Math.round(data.details.duration_ms)} ${Math.round(usedMs)} ${data.file}\n`
  }
}

/** On other systems than Linux, of this process alone. */
function treeCpuMs() {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  const processes = readdirSync('/proc').flatMap(readStat)
  const ids = new Set([process.pid])
  for (let size = 0; size < ids.size; ) {
    size = ids.size
    for (const { id, parent } of processes) if (ids.has(parent)) ids.add(id)
  }
  return processes.reduce((sum, one) => sum + (ids.has(one.id) ? one.ms : 0), 0)
}

const msOfTick = 10

/** A process's parent, and its time with that of its children that have ended. */
function readStat(name) {
  if (!/^\d+$/.test(name)) return []
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = fields.slice(11, 15).reduce((sum, one) => sum + one, 0)
    return [{ id: Number(name), parent: fields[1], ms: ticks * msOfTick }]
  } catch {
    return [] // It has ended meanwhile.
  }
}
