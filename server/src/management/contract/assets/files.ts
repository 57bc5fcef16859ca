import { limits, Nullable, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json } from '../common.ts'
import { contract } from '../contract.ts'

const levelNames = ['normal', 'info', 'warning', 'critical', 'error'] as const

export const exportAssets = contract(
  {
    id: 'exportAssets',
    method: 'GET',
    path: '/api:1/assets/export',
    permission: 'View Asset',
    tag: 'assets',
    ofGroups: true,
    summary: 'Export the assets that the caller sees as CSV.',
    description:
      'The columns are `id,name,description,group_id,asset_type,connector_id,identity,latitude,' +
      'longitude,locked,template_id,meta`, in UTF-8. A text that begins like a formula of a ' +
      'spreadsheet has an apostrophe before it, which an import takes away.',
  },
  () => ({
    query: StrictObject({
      group: Type.Optional(Type.String({ description: 'Of this group and those below it.' })),
      text: Type.Optional(Type.String({ description: 'Letters of the name or description.' })),
      level: Type.Optional(Type.Enum(levelNames, { description: 'At this level now.' })),
      template: Type.Optional(Type.String({ description: 'Made of this template.' })),
    }),
    answers: { 200: { description: 'The file.', text: 'text/csv' } },
  }),
)

const importedRow = component('ImportedAsset', {
  row: Type.Integer({ description: 'From 1, the header not counted.' }),
  status: Type.Enum(['created', 'changed', 'unchanged', 'failed']),
  id: Nullable(Type.String(), { description: 'The asset; null of one that was not made.' }),
  code: Type.Optional(Type.String({ description: 'The code of the error.' })),
  message: Type.Optional(
    Type.String({ description: 'Why it failed, or how a spreadsheet may have changed it.' }),
  ),
})

export const importAssets = contract(
  {
    id: 'importAssets',
    method: 'POST',
    path: '/api:1/assets/import',
    permission: 'Asset Management',
    tag: 'assets',
    ofGroups: true,
    summary: 'Make and change assets by the rows of a CSV file.',
    description:
      'The header names columns of an export, in any order. A row with an `id` changes that ' +
      'asset, where an empty cell changes nothing; a row without makes one, of a template if it ' +
      'names one. A column `error` is not read, so that failed rows can come back with it. Each ' +
      'row is followed as a whole or not at all, and a bad one does not stop the others.',
  },
  () => ({
    query: StrictObject({
      dry_run: Type.Optional(
        Type.Boolean({ description: 'True: everything is checked and nothing is written.' }),
      ),
    }),
    body: { stream: ['text/csv'], bytesMax: limits.assetCsvBytesMax },
    answers: {
      200: json(
        'The result of each row.',
        component('AssetImport', {
          total: Type.Integer({ description: 'The rows below the header.' }),
          created: Type.Integer(),
          changed: Type.Integer(),
          unchanged: Type.Integer({ description: 'The rows that say what the asset is already.' }),
          failed: Type.Integer(),
          rows: Type.Array(importedRow),
        }),
      ),
    },
    refuses: ['csv_invalid', 'too_large'],
  }),
)
