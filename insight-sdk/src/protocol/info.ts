import { Complaints, describeType, Fields, isObject, present, type Reading } from './reading.ts'
import { readTranslations } from './translations.ts'
import type { InsightInfoResults } from './types.ts'

const knownFields = [
  'group_id_required',
  'name',
  'description',
  'wants_lifecycle_events',
  'translations',
]

/** Reads the answer of `GET /info`. A missing `group_id_required` means false. */
export function readInfo(json: unknown): Reading<InsightInfoResults> {
  if (!isObject(json)) return { error: `the info is ${describeType(json)}, not an object` }
  const complaints = new Complaints()
  const fields = new Fields(json, 'info', complaints).only(knownFields)
  const required = fields.boolean('group_id_required')
  if (required === undefined) fields.complain('group_id_required is missing, taken as false')
  const value = present({
    group_id_required: required ?? false,
    name: fields.string('name'),
    description: fields.string('description'),
    wants_lifecycle_events: fields.boolean('wants_lifecycle_events'),
    translations: readTranslations(fields),
  })
  return { value, complaints: complaints.list() }
}
