package playwright

import (
	"net/http"
	"strings"
	"testing"
)

func TestEvaluateArgumentsAndResults(t *testing.T) {
	s := open(t)
	// Each value goes to the page, comes back, and is described by page code.
	s.want(`
		const describe = v => typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0' : v instanceof Date ? 'Date ' + v.getTime()
			: v instanceof RegExp ? String(v) : v instanceof URL ? 'URL ' + v : v instanceof Error ? v.name + ' ' + v.message
			: ArrayBuffer.isView(v) ? v.constructor.name + ' ' + [...v] : Array.isArray(v) ? '[' + v.map(describe) + ']'
			: v && typeof v === 'object' ? '{' + Object.entries(v).map(([k, x]) => k + ':' + describe(x)) + '}' : String(v);
		const out = [];
		for (const v of [1, -0, NaN, Infinity, -Infinity, 10n, 'é😀', true, null, undefined, Symbol('s'), new Date(5), /a\/b/gi, new URL('http://a.b/'), new TypeError('bad'),
				new Uint8Array([1, 2]), new BigInt64Array([3n]), [1, [2]], { a: { b: undefined } }, new Map([[1, 2]]), [ , 1]])
			out.push(describe(await page.evaluate(x => x, v)));
		return out.join(' ');
	`, `"1 -0 NaN Infinity -Infinity 10n é😀 true null undefined undefined Date 5 /a\\/b/gi URL http://a.b/ TypeError bad Uint8Array 1,2 BigInt64Array 3 [1,[2]] {a:{b:undefined}} {} [undefined,1]"`)
	s.want(`const a = { name: 'a' }; a.self = a; const b = await page.evaluate(x => x, a); return b.self === b && b.name === 'a'`, `true`)
	s.want(`const h = await page.evaluateHandle(() => document.body); return page.evaluate(({ h, n }) => h.tagName + n, { h, n: 1 })`, `"BODY1"`)
	s.want(`const h = await page.evaluateHandle(() => ({ a: 1, b: [2] }));
		const all = await h.getProperties();
		return [String(h), [...all.keys()], await all.get('b').jsonValue(), h.asElement(), (await page.$('body')).asElement() !== null]`,
		`["Object",["a","b"],[2],null,true]`)
	s.want(`return page.evaluate('1 + 1')`, `2`)
	s.want(`const o = { method(x) { return x * 2 } }; return page.evaluate(o.method, 4)`, `8`)
	s.want(`return page.evaluate(async ({ a: [x] }) => x, { a: [7] })`, `7`)
	s.wantError(`await page.evaluate(() => 1, 2, 3)`, "Too many arguments. If you need to pass more than 1 argument to the function wrap them in an object.")
	s.wantError(`await page.evaluate(x => x, { a: [() => 1] })`, `Attempting to serialize unexpected value at position "a[0]": () => 1`)
	s.wantError(`await page.fill('input', 5)`, "page.fill: value: expected string, got number")
}

func TestErrorsAreJavaScripts(t *testing.T) {
	s := open(t)
	s.want(`
		try { await page.locator('#none').click({ timeout: 50 }) }
		catch (e) { return [e instanceof Error, e.name, e.constructor.name, e.message.split('\n')[0], e.stack.startsWith('TimeoutError: locator.click'), /page\.js:3:/.test(e.stack)] }
	`, `[true,"TimeoutError","TimeoutError","locator.click: Timeout 50ms exceeded.",true,true]`)
	reply := s.run("\n\nawait page.locator('#none').click({ timeout: 50 })")
	if !strings.HasPrefix(reply.Error, "locator.click: Timeout 50ms exceeded.") || !strings.Contains(reply.Stderr, "at page.js:4:") {
		t.Errorf("got %q\n%s", reply.Error, reply.Stderr)
	}
	s.want(`try { await page.evaluate(() => { throw new RangeError('in page') }) } catch (e) { return e.message.split('\n')[0] }`, `"page.evaluate: RangeError: in page"`)
	s.want(`
		const c = new AbortController(); setTimeout(() => c.abort('enough'), 30);
		try { await page.locator('#none').click({ signal: c.signal }) } catch (e) { return [e.name, e.cause, e.message.split('\n')[0]] }
	`, `["AbortError","enough","locator.click: enough"]`)
}

func TestEventsKeepNodesOrder(t *testing.T) {
	s := open(t)
	s.want(`
		const seen = [];
		const a = m => seen.push('a' + m.text()), b = m => seen.push('b' + m.text());
		page.on('console', a); page.once('console', b); page.prependListener('console', m => seen.push('first'));
		await page.evaluate(() => console.log(1));
		page.off('console', a);
		await page.evaluate(() => console.log(2));
		const count = page.listenerCount('console');
		page.removeAllListeners('console');
		await page.evaluate(() => console.log(3));
		return [seen, count, page.listenerCount('console'), page.eventNames()];
	`, `[["first","a1","b1","first"],1,0,[]]`)
	s.want(`
		const order = [];
		page.on('request', r => order.push('request ' + r.isNavigationRequest()));
		page.on('response', r => order.push('response ' + r.status()));
		page.on('domcontentloaded', p => order.push('dom ' + (p === page)));
		page.on('load', () => order.push('load'));
		const r = await page.goto(NEAR + '/form.html');
		order.push('goto ' + r.ok() + ' ' + (r.request().frame() === page.mainFrame()));
		return order;
	`, `["request true","response 200","dom true","load","goto true true"]`)
}

func TestWaitersAreArmedWhenTheMethodIsCalled(t *testing.T) {
	s := open(t)
	s.mux.HandleFunc("/data", func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(`{"n":5}`)) })
	s.want(`
		await page.goto(NEAR + '/form.html');
		const waiting = [
			page.waitForEvent('console'),
			page.waitForEvent('console', m => m.text() === 'two'),
			page.waitForResponse(/data$/i),
			page.waitForResponse('**/data'),
			page.waitForRequest(async r => (await Promise.resolve(r.url())).endsWith('/data')),
		];
		void page.evaluate(() => { console.log('one'); console.log('two'); fetch('/data') });
		const [one, two, r1, r2, q] = await Promise.all(waiting);
		return [one.text(), two.text(), (await r1.json()).n, r1 === r2, r1.request() === q];
	`, `["one","two",5,true,true]`)
	s.wantError(`await page.waitForEvent('console', { timeout: 20 })`, "page.waitForEvent: Timeout 20ms exceeded while waiting for event \"console\"\n=========================== logs ===========================\nwaiting for event \"console\"\n============================================================")
	s.want(`
		const failed = page.waitForEvent('console', () => { throw new TypeError('judge') }).catch(e => e.name + ' ' + e.message);
		await page.evaluate(() => console.log(1));
		return failed;
	`, `"TypeError judge"`)
	s.want(`
		const there = page.waitForURL(u => u.pathname === '/keys.html' && u instanceof URL);
		await page.evaluate(() => location.href = '/keys.html');
		await there;
		return new URL(page.url()).pathname;
	`, `"/keys.html"`)
}

func TestLocatorsAndTheirOptions(t *testing.T) {
	s := open(t)
	s.want(`
		await page.setContent('<ul><li><b>Ann</b> 1</li><li>Bob 2</li><li class=x>Cid 3</li></ul><button>Go</button><label>Name <input></label>');
		const rows = page.locator('li');
		const clicked = page.getByRole('button', { name: /^go$/i });
		await page.getByLabel('Name').fill('Zoë');
		return [
			await rows.count(), await rows.filter({ hasText: /bob/i }).innerText(), await rows.filter({ has: page.locator('b') }).innerText(),
			await rows.filter({ hasNot: page.locator('b'), hasNotText: '3' }).allInnerTexts(), await rows.nth(-1).getAttribute('class'),
			await rows.first().locator('b').textContent(), await rows.and(page.locator('.x')).count(), await rows.or(page.locator('button')).count(),
			await clicked.isVisible(), await page.getByLabel('Name').inputValue(), String(page.getByText('Ann')), (await rows.all()).length,
			await rows.evaluateAll((all, suffix) => all.map(e => e.textContent + suffix), '!'), clicked.page() === page,
		];
	`, `[3,"Bob 2","Ann 1",["Bob 2"],"x","Ann",1,4,true,"Zoë","getByText('Ann')",3,["Ann 1!","Bob 2!","Cid 3!"],true]`)
}

func TestFunctionsExposedToThePage(t *testing.T) {
	s := open(t)
	s.want(`
		const bound = await page.exposeFunction('add', async (a, b) => a + b);
		await page.exposeBinding('where', (source, x) => [source.page === page, source.frame === page.mainFrame(), x]);
		await page.exposeFunction('fail', () => { throw new RangeError('host says no') });
		const out = [await page.evaluate(() => add(2, 3)), await page.evaluate(() => where('x')),
			await page.evaluate(() => fail().catch(e => e.name + ' ' + e.message + ' ' + (e instanceof Error)))];
		await bound.dispose();
		return out;
	`, `[5,[true,true,"x"],"RangeError host says no true"]`)
	s.want(`
		await page.addInitScript(({ n, f }) => { globalThis.n = n; f(n) }, { n: 4, f: v => globalThis.got = v }, { exposeFunctions: true });
		await page.goto(NEAR + '/form.html');
		while (!globalThis.got) await new Promise(f => setTimeout(f, 5));
		return [await page.evaluate(() => n), globalThis.got];
	`, `[4,4]`)
}

func TestRoutes(t *testing.T) {
	s := open(t)
	s.want(`
		const handler = (route, request) => route.fulfill({ json: { url: new URL(request.url()).pathname } });
		await page.route('**/api/*', handler);
		await page.route(/blocked/, route => route.abort());
		await page.goto(NEAR + '/form.html');
		const ask = path => page.evaluate(path => fetch(path).then(r => r.ok ? r.json() : r.status, e => e.name), path);
		const first = [await ask('/api/x'), await ask('/blocked')];
		await page.unroute('**/api/*', handler);
		await page.unrouteAll();
		return [...first, await ask('/api/x')];
	`, `[{"url":"/api/x"},"TypeError",404]`)
}

func TestPopupsDialogsAndPagesKeepTheirIdentity(t *testing.T) {
	s := open(t)
	s.want(`
		await page.goto(NEAR + '/form.html');
		const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => { window.open('/keys.html') })]);
		await popup.waitForLoadState('domcontentloaded');
		const out = [context.pages().length, context.pages()[1] === popup, (await popup.opener()) === page, new URL(popup.url()).pathname];
		await popup.close();
		return [...out, popup.isClosed(), context.pages().length, page.context() === context, context.browser() === browser];
	`, `[2,true,true,"/keys.html",true,1,true,true]`)
	s.want(`
		page.once('dialog', d => d.accept('typed'));
		const typed = await page.evaluate(() => prompt('q', 'd'));
		const dismissed = await page.evaluate(() => confirm('sure?'));
		return [typed, dismissed];
	`, `["typed",false]`)
	// A dialog that one call leaves open is answered by the next.
	s.want(`
		const asked = new Promise(answer => page.once('dialog', dialog => { globalThis.dialog = dialog; answer(dialog.message()) }));
		globalThis.pending = page.evaluate(() => confirm('later?'));
		return asked;
	`, `"later?"`)
	s.want(`await globalThis.dialog.accept(); return globalThis.pending`, `true`)
}

func TestFurtherContexts(t *testing.T) {
	s := open(t)
	s.want(`
		const other = await browser.newContext({ viewport: { width: 400, height: 300 }, userAgent: 'mine' });
		const p = await other.newPage();
		await other.addCookies([{ name: 'a', value: '1', url: NEAR }]);
		await p.goto(NEAR + '/form.html');
		const out = [p.viewportSize(), await p.evaluate(() => navigator.userAgent + document.cookie), (await context.cookies()).length, browser.contexts().length];
		await other.close();
		return [...out, p.isClosed(), browser.contexts().length];
	`, `[{"width":400,"height":300},"minea=1",0,2,true,1]`)
	s.wantError(`await browser.newContext({ proxy: { server: 'x' } })`, "browser.newContext: the option proxy is not supported here: it belongs to the run")
	s.wantError(`await page.setInputFiles('input', '/etc/passwd')`, `page.setInputFiles: the path "/etc/passwd" is refused: page code has no files; give {name, mimeType, buffer}`)
}

func TestWhatAnOptionLeavesToTheContext(t *testing.T) {
	s := open(t)
	s.want(`
		const strict = await browser.newContext({ strictSelectors: true });
		const p = await strict.newPage();
		await p.setContent('<span>one</span><span>two</span>');
		const said = await p.textContent('span').catch(e => e.message.split('\n')[0]);
		const out = [await p.textContent('span', { strict: false }), (await p.$('span', { strict: false })) !== null, said];
		await strict.close();
		return out;
	`, `["one",true,"page.textContent: Error: strict mode violation: locator('span') resolved to 2 elements:"]`)
	// No modifiers are named: those that are down are let go for the click.
	s.want(`
		await page.setContent('<button onclick="(globalThis.seen ??= []).push(event.shiftKey)">Go</button>');
		await page.keyboard.down('Shift');
		await page.click('button', { modifiers: [] });
		await page.click('button');
		await page.keyboard.up('Shift');
		return page.evaluate(() => seen);
	`, `[false,true]`)
	s.want(`
		await page.goto(NEAR + '/form.html');
		const state = () => page.evaluate(() => navigator.permissions.query({ name: 'geolocation' }).then(p => p.state));
		const states = [await state()];
		await context.grantPermissions([], { origin: NEAR });
		states.push(await state());
		await context.grantPermissions(['geolocation'], { origin: NEAR });
		states.push(await state());
		await context.clearPermissions();
		return [...states, await state()];
	`, `["prompt","denied","granted","prompt"]`)
}

func TestARouteHandlerThatThrowsLeavesNothingWaiting(t *testing.T) {
	s := open(t)
	s.want(`
		await page.goto(NEAR + '/form.html');
		await page.route('**/data', () => { throw new Error('mine') });
		return page.evaluate(() => fetch('/data').then(() => 'answered', e => e.name));
	`, `"TypeError"`)
}
