import { Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Connector } from '../../../api/connectors.ts'
import { Action } from '../../../components/controls/action.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { CsvForm } from './csv-form.tsx'
import { WhitelistForm } from './whitelist-form.tsx'

const texts = defineTexts({
  file: ['Whitelist by a CSV file', 'Mit CSV-Datei freigeben'],
})

/** The ways to whitelist devices: one, or those of a file. */
export function WhitelistTools({ connector }: { readonly connector: Connector }) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const [isFile, setFile] = useState(false)
  if (isFile) return <CsvForm connector={connector} onClose={() => setFile(false)} />
  return (
    <Group gap="xs" align="start">
      <WhitelistForm
        connector={connector}
        onDone={(identity) =>
          navigate({
            to: '/connectors/$connector/devices/$identity/{-$view}',
            params: { connector: connector.id, identity, view: undefined },
          })
        }
      />
      <Action text={t.file} icon="up" mb="xs" onClick={() => setFile(true)} />
    </Group>
  )
}
