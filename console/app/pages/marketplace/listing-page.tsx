import { Title } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ListingDetails, readListing, removeListing } from '../../api/listings.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { Facts } from '../../components/controls/facts.tsx'
import { Part } from '../../components/controls/part.tsx'
import { useAsk } from '../../components/dialogs/confirm.tsx'
import { Absent } from '../../components/missing-value.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useRead } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { ListingForm } from './listing-form.tsx'
import styles from './marketplace.module.css'
import { ProblemList } from './problem-list.tsx'
import { marketTexts } from './texts.ts'
import { UseForm } from './use-form.tsx'

const texts = defineTexts({
  about: ['The listing', 'Das Angebot'],
  definition: ['Definition', 'Definition'],
  none: [
    'It was added by its base, and has no definition.',
    'Es wurde über seine Basis hinzugefügt und hat keine Definition.',
  ],
  problems: [
    'What breaks the rules of definitions',
    'Was gegen die Regeln für Definitionen verstößt',
  ],
  lost: [
    'The listing is removed. A module that uses it has to be removed before.',
    'Das Angebot wird entfernt. Ein Modul, das es nutzt, muss vorher entfernt werden.',
  ],
  title: (name: string) => [`Remove ${name}?`, `${name} entfernen?`],
  by: ['by', 'von'],
})

const route = getRouteApi('/marketplace/listings/$listing')

/** A listing: what it is, its definition, and the form that takes it into use. */
export function ListingPage() {
  const market = useTexts(marketTexts)
  const { listing: id } = route.useParams()
  const listing = useRead('listing', readListing, [id])
  if (listing.data !== undefined) return <Shown listing={listing.data} />
  return <Absent title={id} query={listing} gone={market.gone} />
}

function Shown({ listing }: { readonly listing: ListingDetails }) {
  const market = useTexts(marketTexts)
  const { name, own, visibility } = listing
  return (
    <>
      <PageHead title={name}>
        <Badge tone={visibility === 'public' ? 'note' : 'quiet'} text={market[visibility]} />
        {own && <RemoveButton listing={listing} />}
      </PageHead>
      <div className={`${styles.stack} ${styles.two}`}>
        <div className={styles.stack}>
          <UseForm key={listing.id} listing={listing} />
          <DefinitionPane listing={listing} />
        </div>
        <div className={styles.stack}>
          <About listing={listing} />
          {own && <ListingForm key={listing.id} listing={listing} />}
        </div>
      </div>
    </>
  )
}

function RemoveButton({ listing: { id, name } }: { readonly listing: ListingDetails }) {
  const t = useTexts(texts)
  const market = useTexts(marketTexts)
  const navigate = useNavigate()
  const [ask, question] = useAsk()
  const remove = () =>
    ask({
      title: t.title(name),
      action: market.remove,
      loss: t.lost,
      work: (client) => removeListing(client, id),
      onDone: () => navigate({ to: '/marketplace/{-$view}', params: { view: 'listings' } }),
    })
  return (
    <>
      <Action text={market.remove} icon="bin" onClick={remove} />
      {question}
    </>
  )
}

function About({ listing }: { readonly listing: ListingDetails }) {
  const t = useTexts(texts)
  const market = useTexts(marketTexts)
  const { base, version, publishedAt, publishedBy, problems, definition } = listing
  return (
    <Part title={t.about}>
      <Facts
        layout="lines"
        facts={[
          [market.served, base],
          [market.version, version || market.none],
          [
            market.published,
            <span key="published">
              <Age at={publishedAt} /> {publishedBy !== null && `${t.by} ${publishedBy}`}
            </span>,
          ],
        ]}
      />
      {problems.length > 0 && (
        <>
          <Title order={3} size="h6" mt="sm">
            {t.problems}
          </Title>
          <ProblemList label={t.problems} problems={problems} text={definition} />
        </>
      )}
    </Part>
  )
}

function DefinitionPane({ listing: { definition } }: { readonly listing: ListingDetails }) {
  const t = useTexts(texts)
  return (
    <Part title={t.definition}>
      {definition === '' ? (
        <NextStep>{t.none}</NextStep>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus
        <pre className={styles.definition} tabIndex={0}>
          {definition}
        </pre>
      )}
    </Part>
  )
}
