import { useState } from 'react'
import { listServices, type OfferedService } from '../api/interfaces.ts'
import { useRead } from '../ui/live-queries.ts'
import { defineTexts, useTexts } from '../ui/texts.ts'
import { Badge } from './badge.tsx'
import { Action } from './controls/action.tsx'
import { Faint, Line } from './line.tsx'
import { Pager } from './pager.tsx'
import { Table } from './table/table.tsx'

const texts = defineTexts({
  service: ['Service', 'Dienst'],
  contact: ['Contact', 'Kontakt'],
  own: ['yours', 'Ihrer'],
  choose: ['Choose', 'Wählen'],
  none: [
    'No solution offers such a service to this business.',
    'Keine Lösung bietet diesem Unternehmen einen solchen Dienst an.',
  ],
})

const pageSize = 20

type Props = {
  /** Letters of what people see of a service; empty: all. */
  readonly text: string
  /** Undefined: the list is only shown. */
  readonly onChoose?: (solution: string) => void
}

/** The services of solutions that the business may use. */
export function OfferedServices({ text, onChoose }: Props) {
  const t = useTexts(texts)
  const [place, setPlace] = useState({ text, offset: 0 })
  const offset = place.text === text ? place.offset : 0
  const { data } = useRead('offered', listServices, [{ text, limit: pageSize, offset }], {
    keepsBefore: true,
  })
  if (data === undefined) return null
  if (data.items.length === 0) return <Faint>{t.none}</Faint>
  const turn = (to: number) => () => setPlace({ text, offset: to })
  const hasMore = offset + data.items.length < data.total
  return (
    <>
      <Table heads={[t.service, t.description, t.contact]} narrow="stacked">
        {data.items.map((one) => (
          <Row key={one.solution_id} service={one} onChoose={onChoose} />
        ))}
      </Table>
      <Pager
        onBefore={offset > 0 ? turn(offset - pageSize) : undefined}
        onAfter={hasMore ? turn(offset + pageSize) : undefined}
      />
    </>
  )
}

type RowProps = { readonly service: OfferedService; readonly onChoose: Props['onChoose'] }

function Row({ service, onChoose }: RowProps) {
  const t = useTexts(texts)
  const { solution_id: id, own, default_script_key: key, tags, contact, parameters } = service
  const settings = parameters.map(({ name }) => name).join(', ')
  return (
    <tr>
      <td>
        {service.name}
        <Faint>
          {key} · {id}
        </Faint>
        {onChoose !== undefined && <Action text={t.choose} small onClick={() => onChoose(id)} />}
      </td>
      <td data-label={t.description} style={{ overflowWrap: 'anywhere' }}>
        {service.description}
        <Line>
          {own && <Badge tone="note" text={t.own} />}
          {tags.map((tag) => (
            <Badge key={tag} tone="quiet" text={tag} />
          ))}
        </Line>
        {settings !== '' && (
          <Faint>
            {t.settings}: {settings}
          </Faint>
        )}
      </td>
      <td data-label={t.contact}>
        {contact.name}
        <Faint>{contact.email}</Faint>
      </td>
    </tr>
  )
}
