// Runs in a page of a browser: follows every link of the site in a frame, runs the search, and sends what was wrong to
// the server. dev/browse-site starts it.
'use strict';

const frame = document.createElement('iframe');
frame.width = 1200;
frame.height = 900;
const problems = [];
const places = new Map();  // page -> ids and names in it, after its scripts have run
const links = new Map();   // page -> where its links lead
window.tellProblem = (text) => problems.push(text);

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

async function until(condition, ms = 5000) {
  for (let passed = 0; passed < ms; passed += 20) {
    const found = condition();
    if (found) return found;
    await sleep(20);
  }
  return null;
}

async function show(page) {
  const loaded = new Promise((done) => frame.addEventListener('load', done, {once: true}));
  frame.src = page;
  await loaded;
}

// The page as a reader has it: with the tree of pages that a script has made.
async function visit(page) {
  await show(page);
  const shown = frame.contentDocument;
  const tree = shown.getElementById('nav-tree-contents');
  if (tree && !await until(() => tree.querySelector('a'))) problems.push(`${page}: the tree of pages is empty`);
  places.set(page, new Set([...shown.querySelectorAll('[id], [name]')].flatMap((e) => [e.id, e.getAttribute('name')])));
  links.set(page, [...shown.querySelectorAll('a[href]')].map((a) => new URL(a.href)));
}

async function followAll() {
  const waiting = ['/index.html'];
  const seen = new Set(waiting);
  while (waiting.length > 0) {
    const page = waiting.shift();
    await visit(page);
    for (const link of links.get(page)) {
      if (link.origin !== location.origin || seen.has(link.pathname)) continue;
      seen.add(link.pathname);
      if (!(await fetch(link.pathname)).ok) {
        problems.push(`${page}: there is no ${link.pathname}`);
      } else if (link.pathname.endsWith('.html')) {
        waiting.push(link.pathname);
      }
    }
  }
  for (const [page, targets] of links) {
    for (const link of targets) {
      const place = decodeURIComponent(link.hash.slice(1));
      const known = link.origin === location.origin && places.get(link.pathname);
      if (place && known && !known.has(place)) problems.push(`${page}: ${link.pathname} has no place ${place}`);
    }
  }
}

// Results are in the page or in a frame of it, as the version of Doxygen has it.
function resultOf(name) {
  const inner = frame.contentDocument.getElementById('MSearchResults');
  const results = inner && (inner.contentDocument || inner);
  return results && [...results.querySelectorAll('a[href]')].find((a) => a.textContent === name && a.offsetParent);
}

async function search(name) {
  await show('/index.html');
  const field = await until(() => frame.contentDocument.getElementById('MSearchField'));
  if (!field) return problems.push('there is no field to search in');
  field.dispatchEvent(new FocusEvent('focus'));
  field.value = name;
  field.dispatchEvent(new KeyboardEvent('keyup', {key: name.at(-1), bubbles: true}));
  const result = await until(() => resultOf(name));
  if (!result) return problems.push(`the search does not find ${name}`);
  result.click();
  const heading = await until(() => {
    const anchor = frame.contentDocument.getElementById(frame.contentWindow.location.hash.slice(1));
    return anchor && frame.contentDocument.readyState === 'complete' && anchor.nextElementSibling;
  });
  if (!heading || !heading.textContent.includes(name)) problems.push(`the result for ${name} does not lead to it`);
}

async function run() {
  document.body.append(frame);
  try {
    await followAll();
    for (const name of new URLSearchParams(location.search).getAll('find')) await search(name);
  } catch (error) {
    problems.push(`${frame.src}: ${error.stack}`);
  }
  await fetch('/result', {method: 'POST', body: JSON.stringify({pages: links.size, problems})});
}
run();
