import { Button } from '@mantine/core'
import { useState } from 'react'
import {
  endAllSessions,
  endSession,
  listSessions,
  type OpenSession,
} from '../../api/people/own-account.ts'
import { Age } from '../../components/age.tsx'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Faint } from '../../components/line.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table/table.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { listEveryMs, useLive } from '../../ui/live.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  title: ['Open sessions', 'Offene Sitzungen'],
  program: ['Program', 'Programm'],
  from: ['From', 'Von'],
  began: ['Began', 'Begann'],
  lastUse: ['Last use', 'Zuletzt genutzt'],
  actions: ['Actions', 'Aktionen'],
  notUsed: ['not since it began', 'nicht seit Beginn'],
  unnamed: ['not named', 'nicht genannt'],
  end: ['End', 'Beenden'],
  endOf: (program: string) => [`End the session of ${program}`, `Sitzung von ${program} beenden`],
  endAll: ['End all', 'Alle beenden'],
  endAllTitle: ['End all sessions?', 'Alle Sitzungen beenden?'],
  loss: [
    'This session ends, too: you sign in again.',
    'Auch diese Sitzung endet: Sie melden sich neu an.',
  ],
  ended: ['All your sessions are ended.', 'Alle Ihre Sitzungen sind beendet.'],
  none: ['There is no open session.', 'Keine Sitzung ist offen.'],
})

/** The open sessions of the caller. */
export function SessionsPane() {
  const t = useTexts(texts)
  const { signOut } = useSignedIn()
  const [isAsked, setAsked] = useState(false)
  const end = useChange<string>(endSession)
  // The next read would find no session: this page signs out first, with its own sentence.
  const endAll = useChange<void>(async (client) => {
    await endAllSessions(client)
    signOut(t.ended)
  })
  const sessions = useLive({ key: ['sessions'], read: listSessions, everyMs: listEveryMs })
  const aside = (
    <Button variant="default" size="xs" onClick={() => setAsked(true)}>
      {t.endAll}
    </Button>
  )
  return (
    <Pane title={t.title} query={sessions} aside={aside}>
      {(found) => (
        <>
          {end.error !== null && <Trouble error={end.error} />}
          <Table heads={[t.program, t.from, t.began, t.lastUse, t.actions]} narrow="stacked">
            {found.map((session) => (
              <Row key={session.id} session={session} onEnd={() => end.run(session.id)} />
            ))}
          </Table>
          {found.length === 0 && <Faint>{t.none}</Faint>}
          <Confirm
            opened={isAsked}
            title={t.endAllTitle}
            action={t.endAll}
            isBusy={endAll.isBusy}
            error={endAll.error}
            onConfirm={() => endAll.run()}
            onCancel={() => setAsked(false)}
          >
            {t.loss}
          </Confirm>
        </>
      )}
    </Pane>
  )
}

type RowProps = { readonly session: OpenSession; readonly onEnd: () => void }

function Row({ session, onEnd }: RowProps) {
  const t = useTexts(texts)
  const { address, method, created_at: createdAt, last_used_at: usedAt } = session
  const program = session.user_agent || t.unnamed
  return (
    <tr>
      <td>{program}</td>
      <td data-label={t.from}>
        {address} <Faint inline>{method}</Faint>
      </td>
      <td data-label={t.began}>
        <Age at={createdAt * 1_000} />
      </td>
      <td data-label={t.lastUse}>
        <Age at={usedAt === null ? null : usedAt * 1_000} never={t.notUsed} />
      </td>
      <td>
        <Button variant="default" size="compact-xs" onClick={onEnd} aria-label={t.endOf(program)}>
          {t.end}
        </Button>
      </td>
    </tr>
  )
}
