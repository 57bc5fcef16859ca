import { Readable } from 'node:stream'
import { StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import { assetImportSchema } from '../../../../insight/asset-files/index.ts'
import { levelFor, levelNames } from '../../../../insight/assets/index.ts'
import { LettersOfName, sent, shows } from '../../contract/common.ts'
import { sendCsv } from '../../csv-answer.ts'
import { limited } from '../../json-body.ts'
import { operations } from '../../operation.ts'

/** One file of assets. */
const assetCsvBytesMax = 16 * 1024 * 1024

const views = operations('assets', 'View Asset', '/api:1/assets/export', { ofGroups: true })
const changes = operations('assets', 'Asset Management', '/api:1/assets/import', { ofGroups: true })

export const exportAssets = views.get(
  '',
  'Export the assets that the caller sees as CSV.',
  () => ({
    description:
      'The columns are `id,name,description,group_id,asset_type,connector_id,identity,latitude,' +
      'longitude,locked,template_id,meta`, in UTF-8. A text that begins like a formula of a ' +
      'spreadsheet has an apostrophe before it, which an import takes away.',
    query: StrictObject({
      group: Type.Optional(Type.String({ description: 'Of this group and those below it.' })),
      text: LettersOfName(),
      level: Type.Optional(Type.Enum(levelNames, { description: 'At this level now.' })),
      template: Type.Optional(Type.String({ description: 'Made of this template.' })),
    }),
    answers: { 200: { description: 'The file.', text: 'text/csv' } },
  }),
  async ({ assetFiles }, { view, query, raw: { reply } }) => {
    const { group: groupId, text, level, template } = query
    const rows = assetFiles.exportCsv(view, {
      groupId,
      text,
      levels: level && [levelFor(level)],
      templateIds: template === undefined ? undefined : [template],
    })
    await sendCsv(reply, 'assets', rows)
    return sent
  },
)

export const importAssets = changes.post(
  '',
  'Make and change assets by the rows of a CSV file.',
  () => ({
    description:
      'The header names columns of an export, in any order. A row with an `id` changes that ' +
      'asset, where an empty cell changes nothing; a row without makes one, of a template if it ' +
      'names one. A column `error` is not read, so that failed rows can come back with it. Each ' +
      'row is followed as a whole or not at all, and a bad one does not stop the others.',
    query: StrictObject({
      dry_run: Type.Optional(
        Type.Boolean({ description: 'True: everything is checked and nothing is written.' }),
      ),
    }),
    body: { stream: ['text/csv'], bytesMax: assetCsvBytesMax },
    ...shows('The result of each row.', assetImportSchema),
    refuses: ['csv_invalid', 'too_large'],
  }),
  ({ assetFiles, inTurn }, { view, subject: by, query, bytes }) =>
    inTurn('assets', async () => {
      const file = Readable.from(limited(bytes, assetCsvBytesMax))
      return assetFiles.importCsv({ view, by, file, dryRun: query.dry_run === true })
    }),
)
