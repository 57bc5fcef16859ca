import { Button, Modal, Pagination, Group as Row, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import {
  acknowledgeCondition,
  type Condition,
  type ConditionFilter,
  clearCondition,
  commentCondition,
  listComments,
  listConditions,
} from '../../api/conditions.ts'
import { parseMicros } from '../../api/graphql.ts'
import { Age } from '../../components/age.tsx'
import { Level } from '../../components/asset-status.tsx'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { Form } from '../../components/controls/form.tsx'
import { PageLink } from '../../components/controls/page-link.tsx'
import { Faint, Line } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table/table.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { useRead } from '../../ui/live-queries.ts'
import { useMay } from '../../ui/session.tsx'
import { readText } from '../../ui/submit.ts'
import { defineTexts, useLanguage, useTexts } from '../../ui/texts.ts'
import styles from '../assets/assets.module.css'

const texts = defineTexts({
  title: ['Conditions', 'Zustände'],
  what: ['Condition', 'Zustand'],
  state: ['State', 'Stand'],
  timeout: ['a signal is silent', 'ein Signal schweigt'],
  open: ['open', 'offen'],
  acknowledged: ['acknowledged', 'quittiert'],
  cleared: ['cleared', 'erledigt'],
  ended: ['normal again', 'wieder normal'],
  acknowledge: ['Acknowledge', 'Quittieren'],
  clear: ['Clear', 'Erledigen'],
  comments: ['Comments', 'Kommentare'],
  comment: ['Comment', 'Kommentar'],
  add: ['Add the comment', 'Kommentar hinzufügen'],
  noComments: ['Nobody has commented yet.', 'Noch niemand hat kommentiert.'],
  program: ['a program', 'ein Programm'],
  worst: ['worst', 'höchstens'],
  none: [
    'No condition matches. All is well, as far as rules say.',
    'Kein Zustand passt. Nach den Regeln ist alles in Ordnung.',
  ],
  total: (count: string) => [`${count} in all`, `${count} insgesamt`],
  page: (control: string) => [`${control} page`, `Seite: ${control}`],
})

/** The names of states. */
export const conditionTexts = texts

const pageSize = 50
const tones = { open: 'care', acknowledged: 'note', cleared: 'quiet' } as const

type Props = {
  readonly filter: ConditionFilter
  readonly page?: number
  readonly onPage?: (page: number) => void
}

/** Conditions, newest first; a person acknowledges, comments and clears them. */
export function ConditionList({ filter, page, onPage }: Props) {
  const t = useTexts(texts)
  const language = useLanguage()
  const [own, setOwn] = useState(1)
  const shown = page ?? own
  const offset = (shown - 1) * pageSize
  const conditions = useRead(
    'conditions',
    listConditions,
    [{ query: [filter], limit: pageSize, offset }],
    { keepsBefore: true },
  )
  const { total } = conditions.data ?? {}
  return (
    <Pane
      title={t.title}
      query={conditions}
      aside={total !== undefined && <Faint>{t.total(total.toLocaleString(language))}</Faint>}
    >
      {({ results, total: all }) => (
        <>
          {all === 0 && <NextStep>{t.none}</NextStep>}
          {results.length > 0 && (
            <div className={styles.buttons}>
              <Table heads={[t.asset, t.level, t.what, t.state, t.actions]} narrow="stacked">
                {results.map((one) => (
                  <ConditionRow key={one.id} condition={one} />
                ))}
              </Table>
            </div>
          )}
          {all > pageSize && (
            <Pagination
              mt="sm"
              size="sm"
              total={Math.ceil(all / pageSize)}
              value={shown}
              onChange={onPage ?? setOwn}
              getControlProps={(control) => ({ 'aria-label': t.page(control) })}
            />
          )}
        </>
      )}
    </Pane>
  )
}

function ConditionRow({ condition }: { readonly condition: Condition }) {
  const t = useTexts(texts)
  const { assetId, asset, level, worst, category, type, valueString } = condition
  const { state, openedAt, endedAt } = condition
  return (
    <tr>
      <td className={styles.name}>
        <PageLink
          to="/assets/$asset/{-$view}"
          params={{ asset: assetId, view: 'conditions' }}
          text={asset?.name ?? assetId}
        />
      </td>
      <td data-label={t.level}>
        <Line>
          <Level level={level} />
          {worst !== level && (
            <>
              <Faint inline>{t.worst}</Faint> <Level level={worst} />
            </>
          )}
        </Line>
      </td>
      <td data-label={t.what}>
        {category === 'timeout' ? t.timeout : (type ?? category)} {valueString}
        <Faint>
          <Age at={parseMicros(openedAt)} />
        </Faint>
      </td>
      <td data-label={t.state}>
        <Badge tone={tones[state]} text={t[state]} />
        {endedAt !== null && <Faint>{t.ended}</Faint>}
      </td>
      <td>
        <Actions condition={condition} />
      </td>
    </tr>
  )
}

/** A condition that was cleared takes comments only; one that was acknowledged is not again. */
function Actions({ condition: { id, state } }: { readonly condition: Condition }) {
  const t = useTexts(texts)
  const mayChange = useMay('Asset Management')
  const [isOpen, setOpen] = useState(false)
  const acknowledge = useChange<void>((client) => acknowledgeCondition(client, { id }))
  const clear = useChange<void>((client) => clearCondition(client, { id }))
  const error = acknowledge.error ?? clear.error
  const button = { variant: 'default', size: 'compact-xs' } as const
  return (
    <Row gap={4} justify="end">
      {mayChange && state === 'open' && (
        <Button {...button} loading={acknowledge.isBusy} onClick={() => acknowledge.run()}>
          {t.acknowledge}
        </Button>
      )}
      {mayChange && state !== 'cleared' && (
        <Button {...button} loading={clear.isBusy} onClick={() => clear.run()}>
          {t.clear}
        </Button>
      )}
      <Button {...button} onClick={() => setOpen(true)}>
        {t.comments}
      </Button>
      {error !== null && <Trouble error={error} />}
      {isOpen && <Comments id={id} mayAdd={mayChange} onClose={() => setOpen(false)} />}
    </Row>
  )
}

type CommentsProps = {
  readonly id: string
  readonly mayAdd: boolean
  readonly onClose: () => void
}

function Comments({ id, mayAdd, onClose }: CommentsProps) {
  const t = useTexts(texts)
  const comments = useRead('comments', listComments, [{ id }])
  const { isBusy, error, run } = useChange<string>((client, comment) =>
    commentCondition(client, { id, comment }),
  )
  const submit = (fields: FormData, reset: () => void) => run(readText(fields, 'comment'), reset)
  const { data } = comments
  return (
    <Modal opened onClose={onClose} title={t.comments} withCloseButton={false}>
      {data?.length === 0 && <NextStep>{t.noComments}</NextStep>}
      {data?.map(({ id: key, comment, user, createdAt }) => (
        <div key={key}>
          <Text size="sm" className={styles.name}>
            {comment}
          </Text>
          <Faint>
            <span>{user === null ? t.program : user.name || user.email}</span>
            <Age at={parseMicros(createdAt)} />
          </Faint>
        </div>
      ))}
      {comments.error !== null && <Trouble error={comments.error} />}
      {mayAdd && (
        <Form onSubmit={submit}>
          <Textarea name="comment" label={t.comment} required mt="sm" autosize minRows={2} />
          {error !== null && <Trouble error={error} />}
          <Row justify="end" mt="sm">
            <Action text={t.add} submit busy={isBusy} />
          </Row>
        </Form>
      )}
    </Modal>
  )
}
