import { Button, Paper, SimpleGrid, Text } from '@mantine/core'
import { Heading } from '../../components/controls/heading.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { Icon } from '../../components/icon.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useShell } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  title: ['Explorer', 'Explorer'],
  graph: ['Graph API (GraphQL)', 'Graph-API (GraphQL)'],
  graphText: [
    'Queries, changes and live updates of assets, signals and conditions. The page completes ' +
      'what you type, and shows what a query costs.',
    'Abfragen, Änderungen und laufende Werte von Anlagen, Signalen und Zuständen. Die Seite ' +
      'ergänzt, was Sie tippen, und zeigt, was eine Abfrage kostet.',
  ],
  openGraph: ['Open GraphiQL', 'GraphiQL öffnen'],
  rest: ['Management API (REST)', 'Management-API (REST)'],
  restText: [
    'Everything that is set up: connectors, devices, solutions, users. Each call is described ' +
      'by topic, and can be tried.',
    'Alles, was eingerichtet wird: Konnektoren, Geräte, Lösungen, Benutzer. Jeder Aufruf ist ' +
      'nach Thema beschrieben und lässt sich ausprobieren.',
  ],
  openRest: ['Open the REST API', 'REST-API öffnen'],
  document: [
    'The OpenAPI document, for generators of clients',
    'Das OpenAPI-Dokument, für Generatoren von Clients',
  ],
  session: [
    'What you try there happens for real, with your session. The REST API opens in its own ' +
      'tab, and asks before a request that may change something.',
    'Was Sie dort ausprobieren, geschieht wirklich, mit Ihrer Sitzung. Die REST-API geht in ' +
      'einem eigenen Tab auf und fragt vor einer Anfrage, die etwas ändern kann.',
  ],
})

/** The two APIs that the console itself uses, to be tried. */
export function ExplorerPage() {
  const t = useTexts(texts)
  const { origin } = useShell()
  return (
    <>
      <PageHead title={t.title} />
      <Text size="sm" mb="sm">
        {t.session}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} maw="72rem">
        <Api title={t.graph} text={t.graphText} action={t.openGraph} href="/api/graphql" />
        <Api title={t.rest} text={t.restText} action={t.openRest} href="/api:1/docs" isTab />
      </SimpleGrid>
      <Paper withBorder p="md" mt="md" maw="72rem">
        <CopyText label={t.document} text={`${origin}/api:1/openapi.json`} />
      </Paper>
    </>
  )
}

type ApiProps = {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly href: string
  /** It opens in a tab of its own. */
  readonly isTab?: boolean
}

function Api({ title, text, action, href, isTab = false }: ApiProps) {
  return (
    <Paper component="section" aria-label={title} withBorder p="md">
      <Heading text={title} />
      <Text size="sm" my="sm">
        {text}
      </Text>
      <Button
        component="a"
        href={href}
        size="xs"
        leftSection={<Icon name="query" />}
        {...(isTab && { target: '_blank', rel: 'noopener' })}
      >
        {action}
      </Button>
    </Paper>
  )
}
