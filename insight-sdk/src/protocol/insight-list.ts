import { readInsight } from './insight.ts'
import { Complaints, describeType, Fields, isObject, quote, type Reading } from './reading.ts'
import type { Insight, InsightListResults } from './types.ts'

type List = Omit<InsightListResults, 'insights'> & { readonly insights: readonly Insight[] }

/**
 * Reads the answer of `POST /insights`. A function that cannot be read is left out and named; a
 * missing `total` is counted, and so is `count`: pages begin where those before end.
 */
export function readInsightList(json: unknown): Reading<List> {
  const given = Array.isArray(json) ? { insights: json } : json
  if (!isObject(given))
    return { error: `the list of functions is ${describeType(json)}, not an object` }
  const listed = given.insights
  if (!Array.isArray(listed)) return { error: `insights is ${describeType(listed)}, not an array` }
  const complaints = new Complaints()
  const fields = new Fields(given, 'list', complaints).only(['total', 'count', 'insights'])
  if (Array.isArray(json)) fields.complain('a bare array, taken as the insights')
  const insights = readEach(listed, complaints)
  const total = readCount(fields, 'total', listed.length)
  const said = readCount(fields, 'count', listed.length)
  if (said !== listed.length) {
    fields.complain(`count is ${said}, but ${listed.length} functions came`)
  }
  const value = { total, count: listed.length, insights }
  if (value.total < value.count) {
    fields.complain(`total is ${value.total}, less than count ${value.count}`)
  }
  return { value, complaints: complaints.list() }
}

function readCount(fields: Fields, key: string, counted: number): number {
  const count = fields.integer(key)
  if (count === undefined) fields.complain(`${key} is missing, taken as ${counted}`)
  return count ?? counted
}

function readEach(listed: readonly unknown[], complaints: Complaints): Insight[] {
  const insights = new Map<string, Insight>()
  for (const [index, item] of listed.entries()) {
    const read = readInsight(item)
    if (read.error !== undefined) {
      complaints.add(`function ${index}: ${read.error}; it is left out`)
      continue
    }
    for (const complaint of read.complaints) complaints.add(complaint)
    if (insights.has(read.value.id)) {
      complaints.add(`function ${quote(read.value.id)} is listed twice; the first is taken`)
      continue
    }
    insights.set(read.value.id, read.value)
  }
  return [...insights.values()]
}
