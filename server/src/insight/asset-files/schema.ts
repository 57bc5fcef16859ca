import {
  AnyValue,
  changedVersion,
  comparedVersionSchema,
  component,
  type Json,
  limits,
  Microseconds,
  Nullable,
  RecordOf,
  type Static,
  type StaticResult,
  StrictObject,
  savedBy,
  Type,
  versionSchema,
} from '../../foundation/kernel/index.ts'
import { signalDisplaySchema, templateDifferenceSchema } from '../assets/index.ts'
import { linkSchema } from '../pipelines/index.ts'

const signalSchema = component(
  'TemplateSignal',
  {
    key: Type.String({ description: 'The name by which links of the template refer to it.' }),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    primitiveType: Type.Enum(['NUMERIC', 'STRING', 'BOOLEAN', 'JSON']),
    dataType: Type.Optional(Type.String({ description: 'Such as TEMPERATURE.' })),
    dataUnit: Type.Optional(Type.String({ description: 'Such as DEG_CELSIUS.' })),
    precision: Type.Optional(Type.Number({ description: 'Digits behind the point.' })),
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
    multiplier: Type.Optional(Type.Number()),
    offset: Type.Optional(Type.Number()),
    source: Type.Optional(
      StrictObject(
        { alias: Type.String(), channel: Type.Optional(Type.String()) },
        { description: "A resource of the asset's own device, or a channel of it." },
      ),
    ),
    timeoutMs: Type.Optional(Type.Number({ description: 'Silent after so many milliseconds.' })),
    tags: Type.Optional(RecordOf(Type.String())),
    display: Type.Optional(signalDisplaySchema),
  },
  { description: 'A signal that each asset of a template gets.' },
)

const fields = {
  name: Type.String({ minLength: 1, maxLength: limits.nameCharsMax }),
  description: Type.Optional(Type.String({ maxLength: limits.descriptionCharsMax })),
  assetType: Type.Optional(Type.String({ description: 'The kind of thing that its assets are.' })),
  meta: Type.Optional(
    RecordOf(AnyValue<Json>(), { description: 'What other programs keep with its assets.' }),
  ),
  signals: Type.Optional(Type.Array(signalSchema)),
  links: Type.Optional(
    Type.Array(linkSchema, { description: 'A `signalId` is the key of a signal.' }),
  ),
}

const documentSchema = component('TemplateDocument', fields, {
  description: 'A template without what belongs to one instance: another one takes it as it is.',
})

/** A document, or the words of one and the asset of which it is taken. */
export const newTemplateSchema = StrictObject({
  ...fields,
  asset: Type.Optional(
    Type.String({ description: 'An asset; then neither `signals` nor `links` is given.' }),
  ),
})
export type NewTemplateDocument = Static<typeof newTemplateSchema>

export const templateChangeSchema = component(
  'TemplateChange',
  { ...fields, version: changedVersion },
  { description: 'A document, and the version that it replaces.' },
)
export type ChangedDocument = Static<typeof templateChangeSchema>

const times = {
  createdAt: Microseconds(undefined, { wire: 'created' }),
  updatedAt: Microseconds(undefined, { wire: 'changed' }),
}

export const templateSchema = component('Template', {
  id: Type.String(),
  ...times,
  version: Type.Integer({ description: 'The number of the newest version.' }),
  savedBy: savedBy('A user or a token; null: the platform.'),
  document: documentSchema,
})
export type TemplateFile = StaticResult<typeof templateSchema>

export const listedTemplateSchema = component('ListedTemplate', {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  assetType: Nullable(Type.String(), { wire: 'asset_type' }),
  signals: Type.Integer({ description: 'How many it has.' }),
  links: Type.Integer({ description: 'How many it has.' }),
  assets: Type.Integer({ description: 'How many that the caller sees were made of it.' }),
  ...times,
})
export type ListedTemplate = StaticResult<typeof listedTemplateSchema>

export const templateVersionSchema = versionSchema('TemplateVersion', templateDifferenceSchema)
export const comparedTemplateSchema = comparedVersionSchema(
  'ComparedTemplateVersion',
  { document: documentSchema },
  templateDifferenceSchema,
)
export type ComparedTemplate = StaticResult<typeof comparedTemplateSchema>

const importedRowSchema = component('ImportedAsset', {
  row: Type.Integer({ description: 'From 1, the header not counted.' }),
  status: Type.Enum(['created', 'changed', 'unchanged', 'failed']),
  id: Nullable(Type.String(), { description: 'The asset; null of one that was not made.' }),
  code: Type.Optional(Type.String({ description: 'The code of the error.' })),
  message: Type.Optional(
    Type.String({ description: 'Why it failed, or how a spreadsheet may have changed it.' }),
  ),
})
export type ImportedRow = StaticResult<typeof importedRowSchema>

export const assetImportSchema = component('AssetImport', {
  total: Type.Integer({ description: 'The rows below the header.' }),
  created: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer({ description: 'The rows that say what the asset is already.' }),
  failed: Type.Integer(),
  rows: Type.Array(importedRowSchema),
})
export type ImportResult = StaticResult<typeof assetImportSchema>
