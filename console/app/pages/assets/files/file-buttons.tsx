import { useState } from 'react'
import { type ExportFilter, exportAssets } from '../../../api/asset-files.ts'
import { Action } from '../../../components/controls/action.tsx'
import { later } from '../../../components/dialogs/lazy-dialog.tsx'
import { ExportButton } from '../../../components/export-button.tsx'
import { useMay } from '../../../ui/session.tsx'
import { useTexts } from '../../../ui/texts.ts'

const ImportDialog = later(async () => (await import('./import-dialog.tsx')).ImportDialog)

type Props = {
  /** That of the list: the file has all its pages. */
  readonly filter: ExportFilter
}

/** Assets as a CSV file: those that the list shows, and the import of one. */
export function FileButtons({ filter }: Props) {
  const t = useTexts()
  const mayChange = useMay('Asset Management')
  const [isImporting, setImporting] = useState(false)
  return (
    <>
      <ExportButton name="assets.csv" read={(client) => exportAssets(client, filter)} />
      {mayChange && <Action text={t.import} icon="up" onClick={() => setImporting(true)} />}
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  )
}
