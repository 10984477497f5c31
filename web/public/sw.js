// Shows notices where a page may not do so itself (on phones), and brings whoever taps one to the table it is about.
// It keeps nothing: the page and the games always come from the server.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.url ?? '/', self.location.origin).href;
  const bring = async () => {
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const page = pages.find((client) => client.url === url) ?? pages[0];
    if (!page) return self.clients.openWindow(url);
    await page.focus();
    if (page.url !== url) page.postMessage({ go: url });
  };
  event.waitUntil(bring());
});
