import { Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { defineTexts, useTexts } from '../ui/texts.ts'

const texts = defineTexts({
  title: ['There is no such page', 'Diese Seite gibt es nicht'],
  text: [
    'The address may be of something that was deleted, or of another business.',
    'Vielleicht wurde gelöscht, was hier stand, oder es gehört einem anderen Unternehmen.',
  ],
  back: ['Go to the overview', 'Zur Übersicht'],
})

/** The page of an address that no route has. */
export function NotFoundPage() {
  const t = useTexts(texts)
  return (
    <>
      <Title order={1} size="h4" mb="xs">
        {t.title}
      </Title>
      <Text mb="md">{t.text}</Text>
      <Anchor component={Link} to="/">
        {t.back}
      </Anchor>
    </>
  )
}
