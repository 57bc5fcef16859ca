import type { Client } from '../../api/client.ts'
import {
  endAllSessions,
  endSession,
  listSessions,
  type OpenSession,
} from '../../api/people/own-account.ts'
import { Age } from '../../components/age.tsx'
import { Action } from '../../components/controls/action.tsx'
import { useAsk } from '../../components/dialogs/confirm.tsx'
import { Faint } from '../../components/line.tsx'
import { ListPane } from '../../components/table/list-pane.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { useLive } from '../../ui/live-queries.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  title: ['Open sessions', 'Offene Sitzungen'],
  program: ['Program', 'Programm'],
  began: ['Began', 'Begann'],
  lastUse: ['Last use', 'Zuletzt genutzt'],
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
  const [ask, question] = useAsk()
  const end = useChange<string>(endSession)
  // The next read would find no session: this page signs out first, with its own sentence.
  const endAll = async (client: Client) => {
    await endAllSessions(client)
    signOut(t.ended)
  }
  const sessions = useLive(['sessions'], listSessions)
  const askAll = () => ask({ title: t.endAllTitle, action: t.endAll, loss: t.loss, work: endAll })
  const programName = (session: OpenSession) => session.user_agent || t.unnamed
  const aside = <Action text={t.endAll} onClick={askAll} />
  return (
    <ListPane
      title={t.title}
      query={sessions}
      aside={aside}
      above={end.error !== null && <Trouble error={end.error} />}
      itemKey={({ id }) => id}
      none={<Faint>{t.none}</Faint>}
      columns={[
        [t.program, programName],
        [
          t.from,
          ({ address, method }) => (
            <>
              {address} <Faint inline>{method}</Faint>
            </>
          ),
        ],
        [t.began, (one) => <Age at={one.created_at * 1_000} />],
        [
          t.lastUse,
          ({ last_used_at: at }) => <Age at={at === null ? null : at * 1_000} never={t.notUsed} />,
        ],
      ]}
      actions={(one) => (
        <Action
          text={t.end}
          small
          onClick={() => end.run(one.id)}
          aria-label={t.endOf(programName(one))}
        />
      )}
    >
      {question}
    </ListPane>
  )
}
