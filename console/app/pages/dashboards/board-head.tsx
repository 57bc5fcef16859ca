import { CopyButton, Menu, NativeSelect, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Dashboard } from '../../api/dashboards/dashboards.ts'
import { Action } from '../../components/controls/action.tsx'
import { PageHead } from '../../components/page-head.tsx'
import type { Period } from '../../components/plot/intervals.ts'
import { lengthsMs } from '../../components/plot/intervals.ts'
import { RowMenu } from '../../components/row-menu.tsx'
import { saveFile } from '../../ui/files.ts'
import { useMay } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './dashboards.module.css'
import { boardTexts } from './texts.ts'
import { openFullscreen } from './wall-bar.tsx'

const texts = defineTexts({
  edit: ['Edit', 'Bearbeiten'],
  wall: ['Full screen', 'Vollbild'],
  link: ['Copy the link', 'Link kopieren'],
  wallLink: ['Copy the link for a wall screen', 'Link für einen Wandbildschirm kopieren'],
  export: ['Export as JSON', 'Als JSON exportieren'],
})

const route = getRouteApi('/dashboards/$dashboard')

type Props = { readonly dashboard: Dashboard; readonly period: Period }

/** The name of a dashboard, the period of its plots, and what one does with it. */
export function BoardHead({ dashboard: { id, document }, period }: Props) {
  const t = useTexts(texts)
  const words = useTexts(boardTexts)
  const navigate = route.useNavigate()
  const mayChange = useMay('Dashboard Management')
  const become = (part: object) => navigate({ search: (before) => ({ ...before, ...part }) })
  const { origin } = window.location
  const address = `${origin}/dashboards/${encodeURIComponent(id)}`
  const fill = async () => {
    await openFullscreen()
    await become({ wall: 1 })
  }
  return (
    <>
      <PageHead title={document.name}>
        <NativeSelect
          aria-label={words.period}
          size="xs"
          value={period}
          data={(Object.keys(lengthsMs) as Period[]).map((value) => ({
            value,
            label: words[value],
          }))}
          onChange={({ currentTarget: { value } }) => become({ period: value })}
        />
        <Action text={t.wall} onClick={fill} />
        {mayChange && (
          <Action text={t.edit} icon="pen" main onClick={() => become({ edit: true })} />
        )}
        <RowMenu name={document.name} items={[[t.export, () => saveDocument(document)]]}>
          {/* Browsers give the clipboard only to pages that came over TLS or from this machine. */}
          {window.isSecureContext && (
            <>
              <CopyItem text={address} label={t.link} />
              <CopyItem text={`${address}?wall=1`} label={t.wallLink} />
            </>
          )}
        </RowMenu>
      </PageHead>
      {document.description !== undefined && document.description !== '' && (
        <Text size="sm" c="dimmed" mb="sm" className={styles.name}>
          {document.description}
        </Text>
      )}
    </>
  )
}

function saveDocument(document: Dashboard['document']): void {
  const text = `${JSON.stringify(document, undefined, 2)}\n`
  saveFile(`${document.name.replaceAll(/[/\\]/g, '-')}.json`, 'application/json', text)
}

function CopyItem({ text, label }: { readonly text: string; readonly label: string }) {
  const t = useTexts(texts)
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Menu.Item closeMenuOnClick={false} onClick={copy}>
          {copied ? t.copied : label}
        </Menu.Item>
      )}
    </CopyButton>
  )
}
