import { Modal, Title } from '@mantine/core'
import { useState } from 'react'
import type { FailedCall } from '../../api/pipelines.ts'
import { Age } from '../../components/age.tsx'
import { Action } from '../../components/controls/action.tsx'
import { Faint } from '../../components/line.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { FailurePane } from '../failures/failure-pane.tsx'
import styles from './pipelines.module.css'

const texts = defineTexts({
  title: ['Failed calls', 'Fehlgeschlagene Aufrufe'],
  open: ['Correct and retry', 'Berichtigen und wiederholen'],
  more: (count: number) => [`and ${count} more`, `und ${count} weitere`],
})

const shownMax = 5

/** The calls of a link that failed and wait: each is corrected, sent again or discarded here. */
export function FailedCalls({ calls }: { readonly calls: readonly FailedCall[] }) {
  const t = useTexts(texts)
  const [opened, setOpened] = useState<string>()
  const close = () => setOpened(undefined)
  return (
    <section aria-label={t.title}>
      {calls.length > 0 && (
        <Title order={3} size="h6">
          {t.title}
        </Title>
      )}
      <ul className={styles.calls}>
        {calls.slice(0, shownMax).map(({ id, error, failed_at: at }) => (
          <li key={id}>
            <span className={styles.name}>{error.reason}</span>
            <Faint>
              <Age at={at} />
            </Faint>
            <Action text={t.open} small onClick={() => setOpened(id)} />
          </li>
        ))}
      </ul>
      {calls.length > shownMax && <Faint>{t.more(calls.length - shownMax)}</Faint>}
      {opened !== undefined && (
        <Modal
          opened
          onClose={close}
          title={t.open}
          size="lg"
          closeOnClickOutside={false}
          closeButtonProps={{ 'aria-label': t.close }}
        >
          <FailurePane stage="functions.calls" id={opened} onDone={close} />
        </Modal>
      )}
    </section>
  )
}
