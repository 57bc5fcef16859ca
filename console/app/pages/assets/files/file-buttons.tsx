import { Button } from '@mantine/core'
import { useState } from 'react'
import { type ExportFilter, exportAssets } from '../../../api/asset-files.ts'
import { later } from '../../../components/dialogs/later.tsx'
import { ExportButton } from '../../../components/export-button.tsx'
import { Icon } from '../../../components/icon.tsx'
import { useMay } from '../../../ui/session.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const ImportDialog = later(async () => (await import('./import-dialog.tsx')).ImportDialog)

const texts = defineTexts({
  in: ['Import', 'Importieren'],
})

type Props = {
  /** That of the list: the file has all its pages. */
  readonly filter: ExportFilter
}

/** Assets as a CSV file: those that the list shows, and the import of one. */
export function FileButtons({ filter }: Props) {
  const t = useTexts(texts)
  const mayChange = useMay('Asset Management')
  const [isImporting, setImporting] = useState(false)
  return (
    <>
      <ExportButton name="assets.csv" read={(client) => exportAssets(client, filter)} />
      {mayChange && (
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="up" size={14} />}
          onClick={() => setImporting(true)}
        >
          {t.in}
        </Button>
      )}
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  )
}
