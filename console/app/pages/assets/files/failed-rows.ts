import type { AssetImport } from '../../../api/asset-files.ts'
import { formatCsv } from '../../../ui/files.ts'

const remark = 'error'

/**
 * The rows of a file that failed, each with why, as a file that is corrected and sent again: an
 * import does not read that column.
 * @param rows of the file, the header first.
 */
export function formatFailedRows(
  [head = [], ...rows]: readonly (readonly string[])[],
  { rows: results }: AssetImport,
): string {
  const places = head.flatMap((name, at) => (name.trim().toLowerCase() === remark ? [] : [at]))
  const failed = results.flatMap(({ row, status, message = '' }) => {
    const cells = status === 'failed' ? rows[row - 1] : undefined
    return cells === undefined ? [] : [[...places.map((at) => cells[at] ?? ''), message]]
  })
  return formatCsv([...places.map((at) => head[at] ?? ''), remark], failed)
}

/** Returns the name that a row gives its asset: its name, or its id. */
export function readName(
  [head = [], ...rows]: readonly (readonly string[])[],
  row: number,
): string {
  const readCell = (name: string) => {
    const at = head.findIndex((one) => one.trim().toLowerCase() === name)
    return rows[row - 1]?.[at] ?? ''
  }
  return readCell('name') || readCell('id')
}
